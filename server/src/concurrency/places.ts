/**
 * Limits what happens at the same time per key by refusing more, where p-limit would let it wait. The result takes a
 * place and returns the function that gives it back, or null if all places of the key are taken.
 */
export function createPlaces(limit: number): (key?: string) => (() => void) | null {
  const taken = new Map<string, number>();
  return (key = "") => {
    const count = taken.get(key) ?? 0;
    if (count >= limit) return null;
    taken.set(key, count + 1);
    return () => {
      const left = (taken.get(key) ?? 1) - 1;
      if (left > 0) taken.set(key, left);
      else taken.delete(key);
    };
  };
}
