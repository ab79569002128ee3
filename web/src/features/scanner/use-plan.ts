import type { ScanPlan, ScanPlanRequest } from "@slabdesk/contract/api/plans.ts";
import type { Sheet } from "@slabdesk/contract/sheet/sheet.ts";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { errorWords } from "../../api/error-words.ts";
import { createScanPlan } from "../../api/plan-client.ts";
import { queryKeys } from "../../api/query-keys.ts";
import type { RunOptions } from "./scanner-state.ts";

/** What the server says of the sheet. `isAsking`: the plan is that of the options before, or is being asked for again. */
export type Planning =
  | { kind: "asking" }
  | { kind: "planned"; plan: ScanPlan; askedAtMs: number; isAsking: boolean }
  | { kind: "failed"; problem: string; isAsking: boolean; retry: () => void };

/** Options are tried out by pressing one after the other: the last one is asked about. */
const SETTLED_AFTER_MS = 250;
/** A plan ages with the clock and with what others run. Sheets too large to be sent again and again keep theirs. */
const REFRESH_MS = 60_000;
const REFRESHED_ROWS = 5_000;

const sheetNumbers = new WeakMap<Sheet, number>();
let sheetCount = 0;

/** Names a sheet among those of this tab, so that the cache need not compare 100,000 rows. */
function numberOf(sheet: Sheet): number {
  const known = sheetNumbers.get(sheet);
  if (known !== undefined) return known;
  sheetCount += 1;
  sheetNumbers.set(sheet, sheetCount);
  return sheetCount;
}

/** A verdict needs the certificate; the other cells stay here until the run is started. */
function slimRows({ rows }: Sheet): ScanPlanRequest["rows"] {
  return rows.map(({ line, certNumber, gradingCompany }) => ({ line, certNumber, gradingCompany }));
}

/**
 * The server's plan of a sheet, asked again when the options change; a request that is no longer wanted is aborted.
 * `after` is the session that was shown last. Null for `sheet` asks nothing.
 */
export function usePlan(sheet: Sheet | null, options: RunOptions, after: string | null): Planning {
  const [{ mode, reuseKnown }] = useDebouncedValue(options, SETTLED_AFTER_MS);
  const sheetNumber = sheet ? numberOf(sheet) : 0;
  const query = useQuery({
    queryKey: queryKeys.scanPlan(sheetNumber, after, { mode, reuseKnown }),
    queryFn: async ({ signal }) => {
      const rows = sheet ? slimRows(sheet) : [];
      const plan = await createScanPlan({ rows, mode, reuseKnown, includePricing: false }, signal);
      return { plan, askedAtMs: Date.now() };
    },
    enabled: sheet !== null,
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === sheetNumber ? previous : undefined),
    staleTime: REFRESH_MS,
    refetchInterval: sheet && sheet.rows.length <= REFRESHED_ROWS ? REFRESH_MS : false,
  });
  const isSettled = mode === options.mode && reuseKnown === options.reuseKnown;

  if (query.data) return { kind: "planned", ...query.data, isAsking: query.isPlaceholderData || !isSettled };
  if (query.isError)
    return {
      kind: "failed",
      problem: errorWords(query.error),
      isAsking: query.isFetching,
      retry: () => void query.refetch(),
    };
  return { kind: "asking" };
}
