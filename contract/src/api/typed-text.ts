import { z } from "zod";
import { storableText } from "../certs/text.ts";

const LONGEST_CELL = 32_767;

export const cellTextSchema = z.string().max(LONGEST_CELL).overwrite(storableText);

/** Text that Slabdesk parses. PostgreSQL can't store NUL, so it becomes another invisible character. */
export const typedTextSchema = z
  .string()
  .max(LONGEST_CELL)
  .overwrite((text) => storableText(text.replaceAll("\0", "\u200b")));

const exactNumber = z.number().refine((number) => Number.isSafeInteger(number) && number >= 0);

/** A cert number as typed, or as a JSON number, which can't be exact beyond 2^53. */
export const typedCertNumberSchema = z.union([typedTextSchema, exactNumber.transform(String)], {
  error: "must be text in quotes, or a whole number that JSON can carry exactly",
});

export const oneCertNumberSchema = typedCertNumberSchema.pipe(z.string().trim().max(200));
