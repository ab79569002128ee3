import { OUTCOME_CODES } from "@slabdesk/contract/api/outcomes.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { type FailureKind, failureKindOf, type RowFilter } from "../../table/row-filter.ts";
import styles from "./SessionCard.module.css";
import { leftOver, pricesLeft, type Progress } from "./run-view.ts";
import type { RunActions } from "./use-run-actions.ts";

/** Showing rows in the table beside the card. */
export type TablePointer = {
  filter: RowFilter;
  /** Shows these rows only; all of them again when these are shown already. */
  toggleFilter: (filter: RowFilter) => void;
  /** Shows the damaged rows and opens the first for editing. */
  editFirstDamaged: () => void;
};

type RunControlsProps = {
  session: ScanSession;
  progress: Progress;
  actions: RunActions;
  table: TablePointer;
  /** Another run is being started; this one is left as it is. */
  isLocked: boolean;
};

/** What can be done about a run: going on where it was stopped, and one button for each kind of failure. */
export function RunControls({ session, progress, actions, table, isLocked }: RunControlsProps) {
  const { outage, damaged, not_found: notFound, needs_admin: needsAdmin } = progress.failures;
  const left = leftOver(progress) - progress.inFlight;
  const isBusy = actions.isBusy || isLocked;
  return (
    <>
      {session.status === "failed" && left > 0 && (
        <Action isBusy={isBusy} isMain onPress={actions.resume}>
          Resume · {amount(left)} left
        </Action>
      )}
      {session.status === "failed" && left <= 0 && session.includePricing && pricesLeft(session) === 0 && (
        <Action isBusy={isBusy} isMain onPress={actions.resume}>
          Resume
        </Action>
      )}
      {session.status !== "processing" && pricesLeft(session) > 0 && (
        <Action isBusy={isBusy} onPress={actions.stopPrices}>
          Stop fetching prices
        </Action>
      )}
      {outage > 0 && (
        <Action isBusy={isBusy} onPress={actions.retryOutages}>
          Retry {amount(outage)} {outage === 1 ? "outage" : "outages"}
        </Action>
      )}
      {damaged > 0 && (
        <Action onPress={table.editFirstDamaged}>
          Look at {amount(damaged)} damaged {damaged === 1 ? "number" : "numbers"}
        </Action>
      )}
      {notFound > 0 && (
        <Action isPressed={table.filter === "not_found"} onPress={() => table.toggleFilter("not_found")}>
          Not found: {amount(notFound)}
        </Action>
      )}
      {needsAdmin > 0 && (
        <Action isPressed={table.filter === "needs_admin"} onPress={() => table.toggleFilter("needs_admin")}>
          Needs an administrator: {amount(needsAdmin)}
        </Action>
      )}
      {needsAdmin > 0 && table.filter === "needs_admin" && (
        <Action isBusy={isBusy} onPress={() => actions.retryOutcomes(causesOf(session, "needs_admin"))}>
          Retry these {amount(needsAdmin)}
        </Action>
      )}
    </>
  );
}

type ActionProps = {
  onPress: () => void;
  /** A request is under way: said, and not disabled, so that the button pressed keeps the focus. */
  isBusy?: boolean;
  isMain?: boolean;
  /** For a button that filters the table. */
  isPressed?: boolean;
  children: ReactNode;
};

/** A small button of the session card. */
export function Action({ onPress, isBusy = false, isMain = false, isPressed, children }: ActionProps) {
  return (
    <Button
      size="compact-sm"
      className={styles.action}
      variant={isMain ? "filled" : "default"}
      aria-disabled={isBusy}
      {...(isPressed === undefined ? {} : { "aria-pressed": isPressed })}
      onClick={() => {
        if (!isBusy) onPress();
      }}
    >
      {children}
    </Button>
  );
}

function causesOf({ causes }: ScanSession, kind: FailureKind) {
  return OUTCOME_CODES.filter((outcome) => (causes[outcome] ?? 0) > 0 && failureKindOf(outcome) === kind);
}

const amount = (value: number): string => value.toLocaleString("en-US");
