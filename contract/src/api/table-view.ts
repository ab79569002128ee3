import { z } from "zod";
import { storableText } from "../certs/text.ts";

const LONGEST_VIEW = 20_000;

/** A user's layout of the results table. Text, because deeply nested JSON could crash the server; null if none. */
export const tableViewSchema = z.object({ view: z.string().max(LONGEST_VIEW).overwrite(storableText).nullable() });
