import { LOW_QUOTA, type QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import { formatAt, formatMoment, formatSeconds } from "@slabdesk/contract/certs/dates.ts";
import { Box, Button, Group, Progress, Text } from "@mantine/core";
import { useDidUpdate } from "@mantine/hooks";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { errorMessage } from "../../../api/errors.ts";
import { getQuotaStatus } from "../../../api/sources.ts";
import { formatCount } from "../../../ui/format-numbers.ts";
import { GhostLine } from "../../../ui/Skeletons.tsx";

/** `data` stays if a later request fails. */
export type QuotaReading = Pick<UseQueryResult<QuotaStatus>, "data" | "error" | "refetch">;

const REFRESH_MS = 30_000;
/** Until PSA names its limit, any user's run can reveal it. */
export const UNCONFIRMED_REFRESH_MS = 10_000;

/**
 * PSA's quota, refreshed while the page is visible. A new value of `after`, which identifies the state of the run,
 * refetches it at once. Null for users who may not see it.
 */
export function useQuota(isAdmin: boolean, after: string): QuotaReading | null {
  const query = useQuery({
    queryKey: ["psa-quota"],
    queryFn: ({ signal }) => getQuotaStatus(signal),
    enabled: isAdmin,
    refetchInterval: ({ state }) => (state.data?.isConfirmed === false ? UNCONFIRMED_REFRESH_MS : REFRESH_MS),
  });
  useDidUpdate(() => {
    if (isAdmin) void query.refetch();
  }, [after]);
  return isAdmin ? query : null;
}

const BLOCK = { mt: 14, c: "dimmed", fz: "xs", lh: 1.5, style: { fontVariantNumeric: "tabular-nums" } } as const;
const FACTS = { justify: "space-between", gap: "0 12px" } as const;
const REMARK = { inherit: true, display: "block", mb: 2, style: { overflowWrap: "anywhere" } } as const;

/** The PSA quota for admins: calls left today, the quota window, and the state of PSA's API. */
export function QuotaBlock({ reading: { data, error, refetch } }: { reading: QuotaReading }) {
  const quota = data && quotaSummary(data);
  const problem = quota ? null : error;
  const isZero = quota?.level === "zero";
  const warning = isZero ? "var(--sd-bad)" : quota?.level === "low" ? "var(--sd-warn)" : null;
  return (
    <Box component="section" {...BLOCK} data-level={quota?.level} aria-label="PSA quota" aria-busy={!quota && !problem}>
      <Group component="p" justify="space-between" gap={12} c="var(--sd-ink)" fz="sm" wrap="nowrap">
        <span>PSA quota</span>
        <Text component="strong" inherit fw={600} c={warning ?? "inherit"}>
          {quota?.left ?? (problem ? "unknown" : <GhostLine width="5.5rem" />)}
        </Text>
      </Group>
      <Progress
        mt={4}
        mb={5}
        bg={isZero ? "var(--sd-bad-soft)" : "var(--sd-fill)"}
        color={warning ?? "var(--sd-good)"}
        value={100 * (quota?.share ?? 0)}
        size={4}
        aria-hidden="true"
      />
      {quota?.assumption && <Text inherit>{quota.assumption}</Text>}
      {quota?.remark && (
        <Text {...REMARK} c={quota.isLimited ? "var(--sd-bad)" : "var(--sd-neutral)"}>
          {quota.remark}
        </Text>
      )}
      {problem ? (
        <Text component="output" {...REMARK} c="var(--sd-neutral)">
          {errorMessage(problem)}
        </Text>
      ) : (
        <Group {...FACTS} component="p">
          <Fact name="Used today" value={quota?.usedToday} />
          <Fact name="Last reset" value={quota?.lastReset} />
        </Group>
      )}
      <Group {...FACTS} mt={2}>
        {problem ? (
          <Button size="compact-xs" onClick={() => void refetch()}>
            Try again
          </Button>
        ) : (
          <Fact name="Last checked" value={quota?.lastChecked} />
        )}
        <Button size="compact-xs" disabled title="The quota refreshes by itself">
          Refresh Quota
        </Button>
      </Group>
    </Box>
  );
}

function Fact({ name, value }: { name: string; value: string | undefined }) {
  return (
    <Group component="span" gap={4} wrap="nowrap">
      {name}{" "}
      <Text span inherit c="var(--sd-ink)">
        {value ?? <GhostLine width="3rem" />}
      </Text>
    </Group>
  );
}

/** "2,500 (not confirmed by PSA yet)". */
export function assumedLimit(limit: number): string {
  return `${formatCount(limit)} (not confirmed by PSA yet)`;
}

/** Text of the PSA quota block; times are in the user's time zone. */
export function quotaSummary(status: QuotaStatus) {
  const { remainingQuota, totalQuota, usedToday, lastReset, lastUpdated, noAccess, isConfirmed } = status;
  return {
    level: levelOf(status),
    /** PSA's API is paused for lack of quota. Some calls may be left, because a card takes more than one. */
    isLimited: status.limitedUntil !== null,
    left: noAccess ? "no access" : `${formatCount(remainingQuota)} / ${formatCount(totalQuota)}`,
    /** "Daily limit 2,500 (not confirmed by PSA yet)"; null if PSA has named it. */
    assumption: noAccess || isConfirmed ? null : `Daily limit ${assumedLimit(totalQuota)}`,
    /** Remaining fraction of the daily quota, 0 to 1. */
    share: totalQuota > 0 && !noAccess ? Math.min(1, Math.max(0, remainingQuota / totalQuota)) : 0,
    usedToday: formatCount(usedToday),
    lastReset: lastReset === null ? "no calls yet" : formatMoment(lastReset),
    lastChecked: formatSeconds(lastUpdated),
    remark: remarkOf(status),
  };
}

/** `low`: below 500 calls. `zero`: no calls left. `none`: no API is configured, so there is no quota. */
function levelOf({ noAccess, remainingQuota }: QuotaStatus): "ok" | "low" | "zero" | "none" {
  if (noAccess) return "none";
  if (remainingQuota <= 0) return "zero";
  return remainingQuota < LOW_QUOTA ? "low" : "ok";
}

function remarkOf({ noAccess, error, limitedUntil, lastUpdated }: QuotaStatus): string | null {
  if (noAccess) return "The server has no token for PSA's API.";
  if (limitedUntil === null) return error;
  const message = (error ?? "PSA's API calls are used up").replace(/[.:\s]+$/, "");
  return `${message}. Lookups resume ${formatAt(limitedUntil, Date.parse(lastUpdated))}.`;
}
