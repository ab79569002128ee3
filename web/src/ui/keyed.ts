/** Adds a unique key to each item: the value of `keyOf`, plus the number of preceding items with the same value. */
export function keyed<Item>(items: readonly Item[], keyOf: (item: Item) => string): { key: string; item: Item }[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const key = keyOf(item);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return { key: `${key} ${before}`, item };
  });
}
