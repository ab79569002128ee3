import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import type { ReactNode } from "react";
import type { SessionLookupHistory } from "../../run/use-session-lookup-history.ts";
import type { TakeFirstLine } from "../../table/grid/use-scroll-anchor.ts";
import { ResultsTable } from "../../table/ResultsTable.tsx";
import type { TableControl } from "../../table/view/use-table-control.ts";
import { ResultActions } from "./ResultActions.tsx";
import type { Scanner } from "./use-scanner.ts";

type ScannerResultsProps = {
  scanner: Scanner;
  session: ScanSession | null;
  control: TableControl;
  lookups: SessionLookupHistory;
  status: Status | null;
  whenEmpty: ReactNode;
  takeFirstLine: TakeFirstLine;
};

/** The results table of the Scanner with its actions. */
export function ScannerResults({ scanner, status, ...rest }: ScannerResultsProps): ReactNode {
  return (
    <ResultsTable
      {...rest}
      label="Results"
      tab="scanner"
      rows={scanner.shownRows}
      actions={<ResultActions scanner={scanner} priceSources={status?.priceSources ?? null} />}
    />
  );
}
