type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

/** Work that shares a key and arrives during a batch forms the next one. If a batch fails, its items run one by one. */
export function createBatches<Key, Item, Result>(
  run: (key: Key, items: readonly Item[]) => Promise<readonly Result[]>,
) {
  const waiting = new Map<Key, Waiting<Item, Result>[]>();

  async function runBatch(key: Key, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const results = await run(key, items);
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      if (batch.length > 1) for (const one of batch) await runBatch(key, [one]);
      else batch[0]?.reject(error);
    }
  }

  async function runAll(key: Key, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await runBatch(key, queue.splice(0));
    waiting.delete(key);
  }

  return (key: Key, item: Item): Promise<Result> => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const one = { item, resolve, reject };
    const queue = waiting.get(key);
    if (queue) queue.push(one);
    else {
      const started = [one];
      waiting.set(key, started);
      void runAll(key, started);
    }
    return promise;
  };
}
