import { z } from "zod";
import { storableText } from "../sheet/text.ts";
import { companySchema } from "./cards.ts";
import { cardValuesSchema, colleagueLookUpSchema } from "./lookup-history.ts";
import { resultRowSchema } from "./results.ts";

/** SPEC's limit of one search. */
export const MAX_FOUND = 50;

/**
 * Stands between the fields that are searched, so that no match runs from one into the next; hence it is taken out of
 * what is looked for. It cannot be typed or seen.
 */
export const FIELD_SEPARATOR = "\u001f";

/** What is looked for, as it stands: `%`, `_` and `\` are characters like others, spaces within are part of it. */
export const searchQuerySchema = z.object({
  q: z
    .string("Type what to search for")
    .overwrite((text) => storableText(text).replaceAll(FIELD_SEPARATOR, ""))
    .trim()
    .min(1, "Type what to search for")
    .max(200, "Search for at most 200 letters"),
});

/** A row that was found, in which session it is, what its card was worth and is now and, for administrators, whose it is. */
export const foundRowSchema = resultRowSchema.extend({
  sessionName: z.string(),
  values: cardValuesSchema,
  owner: z.object({ email: z.string(), fullName: z.string() }).optional(),
});
export type FoundRow = z.infer<typeof foundRowSchema>;

/** Colleagues of whom a search tells at most. */
export const MAX_ELSEWHERE = 10;

/** A colleague's look-up of the certificate that was searched for, its newest. */
export const lookUpElsewhereSchema = colleagueLookUpSchema.extend({
  gradingCompany: companySchema,
  certNumber: z.string(),
});
export type LookUpElsewhere = z.infer<typeof lookUpElsewhereSchema>;

/**
 * The newest rows that match. `newestOnly` is null when they are all there is to find, up to the limit; otherwise only
 * that many of the newest rows were looked through, because the text has no three letters or digits in a row. `elsewhere`:
 * who else looked up the very certificate that the text is, with or without its company; an administrator finds the rows.
 */
export const searchAnswerSchema = z.object({
  results: z.array(foundRowSchema).max(MAX_FOUND),
  newestOnly: z.number().int().nullable(),
  elsewhere: z.array(lookUpElsewhereSchema).max(MAX_ELSEWHERE),
});
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;
