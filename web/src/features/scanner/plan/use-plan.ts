import { useDebouncedValue } from "@mantine/hooks";
import { skipToken, useQuery } from "@tanstack/react-query";
import { createScanPlan } from "../../../api/sessions.ts";
import { UNCONFIRMED_REFRESH_MS } from "../quota/QuotaBlock.tsx";
import type { ReadySheet } from "../scanner-state.ts";
import type { RunOptions } from "../sheet/sheet-work.ts";

/** The server's plan. `isLoading`: it is loading, for earlier options, or being refetched. */
export type Planning = ReturnType<typeof usePlan>;

/** Debounce for option changes; only the last one is sent. */
const SETTLED_AFTER_MS = 250;
/** A plan goes stale with time and with other users' runs. Sheets too large to resend keep theirs. */
const REFRESH_MS = 60_000;
const REFRESHED_ROWS = 5_000;

/** The server's plan of a sheet, refetched when the options change or `after`, which identifies the last run. */
export function usePlan(sheet: ReadySheet | null, options: RunOptions, after: string | null) {
  const [settled] = useDebouncedValue(options, SETTLED_AFTER_MS);
  const version = sheet?.loaded.version ?? 0;
  const { data, error, refetch, isPending, isPlaceholderData } = useQuery({
    queryKey: ["scan-plan", version, after, settled] as const,
    queryFn: sheet ? ({ signal }) => fetchPlan(sheet, settled, signal) : skipToken,
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === version ? previous : undefined),
    staleTime: REFRESH_MS,
    refetchInterval: ({ state }) => {
      if (!sheet || sheet.loaded.summary.rowCount > REFRESHED_ROWS) return false;
      return (state.data?.plan.ifLimited.length ?? 0) > 0 ? UNCONFIRMED_REFRESH_MS : REFRESH_MS;
    },
  });
  const isLoading = isPending || (data !== undefined && (isPlaceholderData || settled !== options));
  return { data, error, refetch, isLoading };
}

/** A plan with the rows of each wait as `waiting`, and the rows looked up before as `history`. */
async function fetchPlan({ worker }: ReadySheet, options: RunOptions, signal: AbortSignal) {
  const plan = await createScanPlan(await worker.ask("planBody", options), signal);
  const waiting = plan.waits.length === 0 ? [] : await worker.ask("waitingLines", plan.waits);
  const plannedAtMs = Date.now();
  const history = await worker.ask("lookupHistoryLines", plan.lookupHistory);
  return { plan, waiting, history, plannedAtMs };
}
