import { z } from "zod";
import { storableText } from "../certs/text.ts";

const LONGEST_VIEW = 20_000;

/**
 * A user's layout of the results table, as JSON text; null if none. It is stored as text because only the browser reads
 * it and because deeply nested JSON could crash the server.
 */
export const tableViewSchema = z.object({ view: z.string().max(LONGEST_VIEW).overwrite(storableText).nullable() });
