import { z } from "zod";
import { storableText } from "../sheet/text.ts";

const LONGEST_VIEW = 20_000;

/**
 * How a person has arranged the results table, as JSON text that their browser wrote; it follows them to other browsers.
 * Null: not yet. It is text, as nothing but the browser reads it, and JSON can be nested deeper than a server survives.
 */
export const tableViewSchema = z.object({ view: z.string().max(LONGEST_VIEW).overwrite(storableText).nullable() });
