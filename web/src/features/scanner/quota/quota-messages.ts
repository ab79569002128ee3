import { LOW_QUOTA, type QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import { formatAt, formatMoment, formatSeconds } from "@slabdesk/contract/certs/dates.ts";
import { formatCount } from "../../../ui/format-numbers.ts";

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
