import { AsyncLocalStorage } from "node:async_hooks";

/*
 * The user on whose behalf upstream calls are made. The code that starts a look-up or price sets it once, and every
 * call that follows is logged with that user (call-log.ts). Work that several cards share, such as a login, is
 * attributed to the card that started it.
 */
const caller = new AsyncLocalStorage<string>();

/** Runs `work` on behalf of a user. Its upstream calls are logged with that user. */
export function onBehalfOf<T>(userId: string, work: () => T): T {
  return caller.run(userId, work);
}

/** The user of the current call; null if there is none. */
export function callerNow(): string | null {
  return caller.getStore() ?? null;
}
