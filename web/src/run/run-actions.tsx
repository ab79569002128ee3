import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Button } from "@mantine/core";
import { type ReactNode, useSyncExternalStore } from "react";
import { counted, formatCount } from "../ui/format-numbers.ts";
import { hasOnlyPricesLeft, leftOver, pricesLeft, progressOf } from "./run-progress.ts";
import styles from "./session-actions.module.css";
import { actOn, type SessionAction } from "./session-requests.ts";
import { useAction } from "../api/use-action.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { useQuery } from "@tanstack/react-query";
import { statusQuery } from "../api/status.ts";
import { toast } from "../ui/toast.tsx";
import type { RowsStore } from "./rows-store.ts";

export type RunActions = ReturnType<typeof useRunActions>;

/** A session's run actions. One request at a time: a second press while one is in progress does nothing. */
export function useRunActions(sessionId: string) {
  const { run, isBusy } = useAction({
    send: ({ action }: { title: string; action: SessionAction }) => actOn(sessionId, ...action),
    failure: ({ title }) => ({ id: `run-${sessionId}`, title }),
  });
  const act =
    (title: string, ...action: SessionAction) =>
    (): void =>
      run({ title, action });
  return {
    isBusy,
    stop: act("Couldn't stop the run", "stop"),
    resume: act("Couldn't resume the run", "resume"),
    retryFailed: act("Couldn't retry the cards", "retry"),
    acceptCompanies: act("Couldn't change the companies", "companies"),
    lookUpByPage: act("Couldn't switch to web scraping", "waiting", { mode: "scraping" }),
    /** Cancels the pending prices of a finished run. */
    stopPrices: act("Couldn't stop getting prices", "stop"),
  };
}

/** Resumes a stopped run, or cancels prices that are pending after its end. */
export function GoOnActions({ session, actions }: { session: ScanSession; actions: RunActions }) {
  const progress = progressOf(session);
  const left = leftOver(progress) - progress.inFlight;
  const prices = pricesLeft(session);
  return (
    <>
      {session.status === "failed" && (left > 0 || (session.includePricing && prices === 0)) && (
        <Action isBusy={actions.isBusy} isMain onPress={actions.resume}>
          {left > 0 ? `Resume · ${formatCount(left)} left` : "Resume"}
        </Action>
      )}
      {session.status !== "processing" && prices > 0 && (
        <Action isBusy={actions.isBusy} onPress={actions.stopPrices}>
          Stop fetching prices
        </Action>
      )}
    </>
  );
}

type ActionProps = {
  onPress: () => void;
  /** A request is in progress. Uses `aria-disabled`, so that the pressed button keeps the focus. */
  isBusy?: boolean;
  isMain?: boolean;
  /** For a toggle button that filters the table. */
  isPressed?: boolean;
  children: ReactNode;
};

/** A small button for a session action. */
export function Action({ onPress, isBusy = false, isMain = false, isPressed, children }: ActionProps) {
  return (
    <Button
      size="compact-sm"
      className={styles.small}
      variant={isMain ? "filled" : "default"}
      aria-disabled={isBusy}
      aria-pressed={isPressed}
      onClick={() => {
        if (!isBusy) onPress();
      }}
    >
      {children}
    </Button>
  );
}

/** Reprice, or Get prices for a session without prices. Shows the count while prices are being fetched. */
export function RepriceButton({ session: open, rows }: { session: ScanSession | null; rows: RowsStore }) {
  const hasRows = useSyncExternalStore(rows.subscribe, () => rows.getSnapshot().length > 0);
  const session = hasRows ? open : null;
  const priceSources = useQuery(statusQuery).data?.priceSources ?? null;
  const repricing = useAction({
    send: (sessionId: string) => actOn(sessionId, "reprice"),
    failure: (sessionId) => ({ id: `reprice-${sessionId}`, title: "Couldn't get the prices" }),
    onDone: (repriced) => toast.info({ id: `reprice-${repriced.id}`, message: repricedMessage(repriced) }),
  });
  const { label, message, state } = repriceState(session, priceSources);
  const isBusy = repricing.isBusy || state === "busy";
  return (
    <Button
      size="xs"
      className={styles.action}
      title={message}
      disabled={state === "off"}
      aria-disabled={isBusy}
      onClick={() => {
        if (session && !isBusy) repricing.run(session.id);
      }}
    >
      {label}
    </Button>
  );
}

/** The button as shown. `busy`: prices are being fetched. `off`: there is nothing to price, or no price source. */
type RepriceState = { label: string; message: string; state: "ready" | "busy" | "off" };

export function repriceState(session: ScanSession | null, priceSources: Status["priceSources"] | null): RepriceState {
  const isAgain = session?.includePricing === true;
  const label = isAgain ? "Reprice" : "Get prices";
  if (session === null) return { label, message: "There are no cards to price", state: "off" };
  const { pending } = session.prices;
  if (hasOnlyPricesLeft(session))
    return { label: `${formatCount(pending)} left`, message: "Getting prices", state: "busy" };
  const { done, inFlight, pending: open } = progressOf(session);
  if (session.status === "processing" && session.includePricing && open + inFlight > 0)
    return { label, message: "Prices arrive with the cards", state: "busy" };
  if (priceSources?.length === 0) return { label, message: "No price source is set up", state: "off" };
  if (done === 0) return { label, message: "There are no cards to price", state: "off" };
  return {
    label,
    message: `Get prices for ${counted(done, "card")}${isAgain ? " again" : ""} (no lookups used)`,
    state: "ready",
  };
}

/** The result of a reprice, from the session that the server returned. */
export function repricedMessage(session: ScanSession): string {
  if (pricesLeft(session) === 0) return "All prices are less than 24 hours old";
  const { pending, waiting } = session.prices;
  if (pending === 0) return `${counted(waiting, "price waits", "prices wait")} (no lookups used)`;
  return `Getting ${counted(pending, "price")} (no lookups used)`;
}
