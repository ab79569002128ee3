import pLimit, { type LimitFunction } from "p-limit";

/** Limits concurrent work to `total`, and to `each` per key. Keys stay in memory: use it for few. */
export function createLimitPerKey(total: number, each: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const ofAll = pLimit(total);
  const byKey = new Map<string, LimitFunction>();
  return (key, work) => {
    const ofKey = byKey.get(key) ?? pLimit(each);
    byKey.set(key, ofKey);
    return ofKey(() => ofAll(work));
  };
}
