/** What a grader says about a card, in the order of the results file. */
export const DETAIL_FIELDS = [
  "itemName",
  "player",
  "year",
  "language",
  "brand",
  "cardNumber",
  "grade",
  "sport",
  "variety",
  "graderNotes",
] as const;

/** The card fields that a row stores. The schemas, the database columns and the SQL derive from this list. */
export const CARD_FIELDS = [
  ...DETAIL_FIELDS,
  "tagScore",
  "imageUrl",
  "imageUrlBack",
  "certUrl",
  "inventoryName",
] as const;
export type CardField = (typeof CARD_FIELDS)[number];

export function recordOf<Field extends string, Key extends string, Value>(
  fields: readonly Field[],
  entryOf: (field: Field) => readonly [Key, Value],
): Record<Key, Value>;
export function recordOf(
  fields: readonly string[],
  entryOf: (field: string) => readonly [string, unknown],
): Record<string, unknown> {
  return Object.fromEntries(fields.map(entryOf));
}
