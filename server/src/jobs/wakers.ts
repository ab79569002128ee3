import type { PgBoss } from "pg-boss";

export type Wakers = ReturnType<typeof createWakers>;

/** Wakes a queue's workers when delayed jobs are due. Nothing else notifies them. */
export function createWakers(boss: PgBoss) {
  const workers = new Map<string, string[]>();
  return {
    add(queue: string, worker: string): void {
      workers.set(queue, [...(workers.get(queue) ?? []), worker]);
    },
    wakeAfter(queue: string, ms: number): void {
      const wake = (): void => {
        for (const worker of workers.get(queue) ?? []) boss.notifyWorker(worker);
      };
      setTimeout(wake, ms + 1).unref();
    },
  };
}
