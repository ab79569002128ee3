import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

/*
 * Whether the server answers. Polls the server every 2 s while something subscribes and the page is visible. It has 3 s
 * to answer, so that a loss is noticed within 5 s on any screen.
 */
const POLL_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 3_000;

const answers = (): Promise<boolean> =>
  fetch("/readyz", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** A client of its own, so that nothing else invalidates or clears the state. */
const client = new QueryClient();
client.mount();
const connection = new QueryObserver(client, {
  queryKey: ["connection"],
  queryFn: answers,
  initialData: true,
  staleTime: POLL_EVERY_MS,
  gcTime: Number.POSITIVE_INFINITY,
  refetchInterval: POLL_EVERY_MS,
  refetchOnWindowFocus: "always",
  refetchOnReconnect: "always",
  networkMode: "always",
});

const isConnected = (): boolean => connection.getCurrentResult().data !== false;

export const useIsConnected = (): boolean => useSyncExternalStore(connection.subscribe, isConnected, () => true);

/** Calls the listener each time the server answers again. Returns an unsubscribe function. */
export function onReconnection(listener: () => void): () => void {
  let wasConnected = isConnected();
  return connection.subscribe(() => {
    if (isConnected() && !wasConnected) listener();
    wasConnected = isConnected();
  });
}
