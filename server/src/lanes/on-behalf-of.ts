import { AsyncLocalStorage } from "node:async_hooks";

/*
 * For whom calls to upstreams are made. Whoever starts a look-up or a price says so once, and each call that follows
 * from it, however deep and in whatever client, is noted with that person (call-log.ts). What several share, as a login
 * that many cards wait for, stays with the one that caused it.
 */
const caller = new AsyncLocalStorage<string>();

/** Does the work for somebody: the calls that it makes are theirs. */
export function onBehalfOf<T>(userId: string, work: () => T): T {
  return caller.run(userId, work);
}

/** For whom the current call is made; null when nobody is behind it. */
export function callerNow(): string | null {
  return caller.getStore() ?? null;
}
