const MOST_ITEMS = 500;
const MOST_CHARACTERS = 500_000;

/** Splits work into slices of a few milliseconds. Whoever works through them lets other requests run in between. */
export function* slicesOf<T>(
  items: Iterable<T>,
  { mostItems = MOST_ITEMS, mostCharacters = MOST_CHARACTERS } = {},
): Generator<T[], undefined> {
  let slice: T[] = [];
  let characters = 0;
  for (const item of items) {
    slice.push(item);
    characters += charactersIn(item);
    if (slice.length < mostItems && characters < mostCharacters) continue;
    yield slice;
    slice = [];
    characters = 0;
  }
  if (slice.length > 0) yield slice;
}

export function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + charactersIn(part), 1);
}
