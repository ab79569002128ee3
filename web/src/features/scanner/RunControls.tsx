import { OUTCOME_CODES } from "@slabdesk/contract/api/outcomes.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Action } from "../../session/Action.tsx";
import { GoOnActions } from "../../session/GoOnActions.tsx";
import { type FailureKind, failureKindOf, type RowFilter } from "../../table/row-filter.ts";
import type { Progress } from "../../session/run-view.ts";
import type { RunActions } from "../../session/use-run-actions.ts";

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
  const isBusy = actions.isBusy || isLocked;
  return (
    <>
      <GoOnActions session={session} actions={actions} isBusy={isBusy} />
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

function causesOf({ causes }: ScanSession, kind: FailureKind) {
  return OUTCOME_CODES.filter((outcome) => (causes[outcome] ?? 0) > 0 && failureKindOf(outcome) === kind);
}

const amount = (value: number): string => value.toLocaleString("en-US");
