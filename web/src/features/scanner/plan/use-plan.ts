import type { ScanPlan } from "@slabdesk/contract/api/plans.ts";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { errorMessage } from "../../../api/error-messages.ts";
import { createScanPlan } from "../../../api/plans.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import type { ReadySheet, RunOptions } from "../scanner-state.ts";
import type { LineNotes } from "../sheet/sheet-summary.ts";

/**
 * The server's plan of the sheet. `waiting` holds the rows of each wait, `remembered` the rows looked up before.
 * `isAsking`: the plan is for earlier options or is being refetched.
 */
export type Planning =
  | { kind: "loading" }
  | {
      kind: "planned";
      plan: ScanPlan;
      waiting: LineNotes[];
      remembered: LineNotes;
      askedAtMs: number;
      isAsking: boolean;
    }
  | { kind: "failed"; problem: string; isAsking: boolean; retry: () => void };

/** Debounce for option changes; only the last one is sent. */
const SETTLED_AFTER_MS = 250;
/** A plan goes stale with time and with other users' runs. Sheets too large to resend keep theirs. */
const REFRESH_MS = 60_000;
const REFRESHED_ROWS = 5_000;

/**
 * The server's plan of a sheet, refetched when the options change. Outdated requests are aborted. A new value of
 * `after`, which identifies the last run, refetches the plan. A null `sheet` requests nothing.
 */
export function usePlan(sheet: ReadySheet | null, options: RunOptions, after: string | null): Planning {
  const [{ mode, reuseKnown, acceptCompanies, includePricing }] = useDebouncedValue(options, SETTLED_AFTER_MS);
  const version = sheet?.loaded.version ?? 0;
  const query = useQuery({
    queryKey: queryKeys.scanPlan(version, after, { mode, reuseKnown, acceptCompanies, includePricing }),
    queryFn: async ({ signal }) => {
      if (!sheet) throw new Error("No sheet to plan");
      const body = await sheet.worker.ask("planBody", { mode, reuseKnown, acceptCompanies, includePricing });
      const plan = await createScanPlan(body, signal);
      const waiting = plan.waits.length === 0 ? [] : await sheet.worker.ask("waitingLines", plan.waits);
      const askedAtMs = Date.now();
      const remembered = await sheet.worker.ask("rememberedLines", plan.lookupHistory, askedAtMs);
      return { plan, waiting, remembered, askedAtMs };
    },
    enabled: sheet !== null,
    placeholderData: (previous, previousQuery) => {
      const [, previousVersion, , previousOptions] = previousQuery?.queryKey ?? [];
      const isAlike = previousVersion === version && previousOptions?.acceptCompanies === acceptCompanies;
      return isAlike ? previous : undefined;
    },
    staleTime: REFRESH_MS,
    refetchInterval: sheet && sheet.loaded.summaries.asTyped.rowCount <= REFRESHED_ROWS ? REFRESH_MS : false,
  });
  const isSettled =
    mode === options.mode && reuseKnown === options.reuseKnown && includePricing === options.includePricing;

  // The number of ready rows changes. The sheet's own numbers show it at once; an older plan would not.
  if (acceptCompanies !== options.acceptCompanies) return { kind: "loading" };
  if (query.data) return { kind: "planned", ...query.data, isAsking: query.isPlaceholderData || !isSettled };
  if (query.isError)
    return {
      kind: "failed",
      problem: errorMessage(query.error),
      isAsking: query.isFetching,
      retry: () => void query.refetch(),
    };
  return { kind: "loading" };
}
