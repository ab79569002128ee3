import { useSyncExternalStore } from "react";

/*
 * Whether the server answers. While somebody wants to know and the page is visible, the server is asked every 2 s and
 * has 3 s to answer, so that a loss is noticed within 5 s on any screen.
 */
const ASK_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 3_000;

const listeners = new Set<() => void>();
let isConnected = true;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The current series of questions. An answer to an older series doesn't count. */
let series = 0;

async function answers(): Promise<boolean> {
  try {
    const { ok } = await fetch("/readyz", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return ok;
  } catch {
    return false;
  }
}

async function ask(): Promise<void> {
  clearTimeout(timer);
  series += 1;
  const own = series;
  const isAnswered = document.visibilityState === "visible" ? await answers() : isConnected;
  if (own !== series) return;
  timer = setTimeout(() => void ask(), ASK_EVERY_MS);
  if (isAnswered === isConnected) return;
  isConnected = isAnswered;
  for (const listener of listeners) listener();
}

const askNow = (): void => void ask();
const EVENTS = ["online", "offline", "visibilitychange"] as const;

/** Calls the listener when the connection is lost and when it is back. Returns an unsubscribe function. */
function onConnection(listener: () => void): () => void {
  if (listeners.size === 0) {
    for (const event of EVENTS) window.addEventListener(event, askNow);
    timer = setTimeout(askNow, ASK_EVERY_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    for (const event of EVENTS) window.removeEventListener(event, askNow);
    clearTimeout(timer);
    series += 1;
  };
}

export function useIsConnected(): boolean {
  return useSyncExternalStore(
    onConnection,
    () => isConnected,
    () => true,
  );
}

/** Calls the listener each time the server answers again. Returns an unsubscribe function. */
export function onReconnection(listener: () => void): () => void {
  return onConnection(() => {
    if (isConnected) listener();
  });
}
