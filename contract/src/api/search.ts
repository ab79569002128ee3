import { z } from "zod";
import { storableText } from "../certs/text.ts";
import { companySchema } from "./cards.ts";
import { cardValuesSchema, colleagueLookUpSchema } from "./lookup-history.ts";
import { resultRowSchema } from "./results.ts";

export const MAX_FOUND = 50;

/** Separate the searched fields and rows, so that no match spans two. Removed from the search text; can't be typed. */
export const FIELD_SEPARATOR = "\u001f";
export const ROW_SEPARATOR = "\u001e";

/** The literal search text. `%`, `_` and `\` aren't wildcards, and inner spaces are significant. */
export const searchQuerySchema = z.object({
  q: z
    .string("Type what to search for")
    .overwrite((text) => storableText(text).replaceAll(FIELD_SEPARATOR, "").replaceAll(ROW_SEPARATOR, ""))
    .trim()
    .min(1, "Type what to search for")
    .max(200, "Search for at most 200 characters"),
});

/** A matching row, its session, the card's first and current value and, for administrators, the row's owner. */
export const foundRowSchema = resultRowSchema.extend({
  sessionName: z.string(),
  values: cardValuesSchema,
  owner: z.object({ email: z.string(), fullName: z.string() }).optional(),
});
export type FoundRow = z.infer<typeof foundRowSchema>;

export const MAX_ELSEWHERE = 10;

export const lookUpElsewhereSchema = colleagueLookUpSchema.extend({
  gradingCompany: companySchema,
  certNumber: z.string(),
});
export type LookUpElsewhere = z.infer<typeof lookUpElsewhereSchema>;

/**
 * The newest matching rows. `newestOnly`: how many of the newest were searched, because the text has no three
 * consecutive letters or digits; else null. `elsewhere`: the colleagues who looked up the cert that the text names.
 */
export const searchAnswerSchema = z.object({
  results: z.array(foundRowSchema).max(MAX_FOUND),
  newestOnly: z.number().int().nullable(),
  elsewhere: z.array(lookUpElsewhereSchema).max(MAX_ELSEWHERE),
});
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;
