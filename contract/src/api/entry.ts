import { z } from "zod";
import { storableText } from "../certs/text.ts";

export const LONGEST_ITEM_NAME = 300;
const LONGEST_FIELD = 100;

/** At least one visible character: \p{Cf} are invisible ones, such as a zero-width space. */
const VISIBLE = /[^\s\p{Cf}]/u;

function textUpTo(length: number) {
  return z
    .string()
    .overwrite((text) => storableText(text).replace(/\s+/gu, " ").trim())
    .max(length, `Enter at most ${length} characters`);
}

/** What a person types from a slab. Only the name is required; a field without a value is "". */
export const entryCardSchema = z.object({
  itemName: textUpTo(LONGEST_ITEM_NAME).regex(VISIBLE, "Enter the card's name"),
  year: textUpTo(LONGEST_FIELD).regex(/^(?:\d{4}(?:-\d{2})?)?$/u, "Enter a year like 1999, or a season like 1999-00"),
  brand: textUpTo(LONGEST_ITEM_NAME),
  cardNumber: textUpTo(LONGEST_FIELD),
  grade: textUpTo(LONGEST_FIELD),
  population: z.number("Enter a whole number").int("Enter a whole number").min(0).max(999_999_999).nullable(),
});
export type EntryCard = z.infer<typeof entryCardSchema>;

/** A card entered by hand: who entered it, when, and what they typed. */
export const entrySchema = z.object({ by: z.string(), at: z.string(), card: entryCardSchema });
export type Entry = z.infer<typeof entrySchema>;
