import { AsyncLocalStorage } from "node:async_hooks";
import type { UpstreamAnswer } from "./endpoint.ts";

/* The user on whose behalf calls are made. Work that cards share belongs to the card that started it. */

/** How a call ended. `useless`: with an answer that could not be used. */
export type CallEnding = UpstreamAnswer["kind"] | "useless";
/** `sharesAs`: the name under which the caller takes turns in a lane. */
export type Caller = {
  userId: string;
  sharesAs: string;
  lastCall: { ending: CallEnding } | null;
  isWorking: boolean;
};

const callers = new AsyncLocalStorage<Caller>();

/** Runs `work` on behalf of a user. Its upstream calls are logged with that user. */
export async function onBehalfOf<T>(
  userId: string,
  work: () => Promise<T>,
  { sharesAs = userId }: Partial<Pick<Caller, "sharesAs">> = {},
): Promise<T> {
  const caller: Caller = { userId, sharesAs, lastCall: null, isWorking: true };
  try {
    return await callers.run(caller, work);
  } finally {
    caller.isWorking = false;
  }
}

export const callerNow = (): Caller | null => callers.getStore() ?? null;

/** Logs the caller's last call as useless if it was answered. */
export function noteUselessAnswer(): void {
  const call = callerNow()?.lastCall;
  if (call?.ending === "answered") call.ending = "useless";
}
