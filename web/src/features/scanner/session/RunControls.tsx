import { OUTCOME_CODES, OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { readSheetCert } from "@slabdesk/contract/certs/cert-number.ts";
import { canRetry, isError } from "@slabdesk/contract/review/row-state.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useSyncExternalStore } from "react";
import { Action, GoOnActions, type RunActions } from "../../../run/run-actions.tsx";
import type { RowFilter } from "../../../table/filter/row-filter.ts";
import { cached } from "../../../table/row/cached.ts";
import { counted, formatCount } from "../../../ui/format-numbers.ts";
import type { RowsSnapshot, RowsStore } from "../../../run/rows-store.ts";
import { progressOf } from "../../../run/run-progress.ts";

export type TablePointer = {
  filter: RowFilter;
  /** Shows only these rows, or all rows if they are already filtered. */
  toggleFilter: (filter: RowFilter) => void;
  /** Shows the invalid rows and opens the first for editing. */
  editFirstInvalid: () => void;
};

export type RunControlsProps = {
  session: ScanSession;
  rows: RowsStore;
  actions: RunActions;
  table: TablePointer;
};

/** A run's actions: resume if stopped, one button that retries all that a retry may help, and one per other failure kind. */
export function RunControls({ session, rows, actions, table }: RunControlsProps) {
  const { isBusy } = actions;
  const { outage, invalid, not_found: notFound, needs_admin: needsAdmin } = progressOf(session).failures;
  const failed = OUTCOME_CODES.map((code) => (OUTCOMES[code].retryable ? (session.causes[code] ?? 0) : 0));
  const retryable = failed.reduce((sum, count) => sum + count, 0);
  const snapshot = useSyncExternalStore(rows.subscribe, rows.getSnapshot, rows.getSnapshot);
  const suggested = invalid > 0 ? countSuggested(snapshot) : 0;
  return (
    <>
      <GoOnActions session={session} actions={actions} />
      {retryable > 0 && (
        <Action isBusy={isBusy} onPress={actions.retryFailed}>
          Retry{" "}
          {retryable === outage ? `${counted(outage, "card")} (grader was down)` : counted(retryable, "failed card")}
        </Action>
      )}
      {suggested > 0 && (
        <Action isBusy={isBusy} onPress={actions.acceptCompanies}>
          Use {counted(suggested, "suggested company", "suggested companies")}
        </Action>
      )}
      {invalid > 0 && <Action onPress={table.editFirstInvalid}>Fix {counted(invalid, "row")}</Action>}
      {notFound > 0 && (
        <Action isPressed={table.filter === "not_found"} onPress={() => table.toggleFilter("not_found")}>
          Not found: {formatCount(notFound)}
        </Action>
      )}
      {needsAdmin > 0 && (
        <Action isPressed={table.filter === "needs_admin"} onPress={() => table.toggleFilter("needs_admin")}>
          Needs an administrator: {formatCount(needsAdmin)}
        </Action>
      )}
    </>
  );
}

/** Failed rows whose number names another company than the sheet, or names one where the sheet has none. */
function countSuggested(rows: RowsSnapshot): number {
  return rows.filter((row) => isError(row) && !canRetry(row) && hasSuggestion(row)).length;
}

const hasSuggestion = cached((row: ResultRow) => readSheetCert(row.certNumber, row.gradingCompany).suggestion !== null);
