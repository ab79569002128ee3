import pLimit, { type LimitFunction } from "p-limit";

/**
 * Limits concurrent work to `total`, and to `each` per key, so that the work of one key can't take all places. Each key
 * stays in memory: use it for few keys.
 */
export function createLimitPerKey(total: number, each: number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const ofAll = pLimit(total);
  const byKey = new Map<string, LimitFunction>();
  return (key, work) => {
    const ofKey = byKey.get(key) ?? pLimit(each);
    byKey.set(key, ofKey);
    return ofKey(() => ofAll(work));
  };
}
