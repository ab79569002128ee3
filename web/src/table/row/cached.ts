/** Caches a function's results while their keys live. The keys are immutable, so that entries never go stale. */
export function cached<Key extends WeakKey, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
