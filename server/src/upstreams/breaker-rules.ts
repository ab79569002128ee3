import type { Selectable } from "kysely";
import type { PauseCode, Schema } from "../database/schema.ts";

/*
 * The rules of the circuit breaker, as pure functions of an endpoint's record and the time.
 *
 *   open → paused: the fifth failure in a row, or a used-up quota. An outage counts once per card
 *   paused → due: the pause has ended
 *   due → probing: one lookup was admitted as the probe
 *   probing → open or paused: the probe's report; or due, if it has not reported when its lease ends
 *   probing → walled: the probe was refused as well (`blocked` or `forbidden`)
 *   walled → probing: one lookup of a run that was requested after the last failed probe
 *   any → stopped: a refusal that only an administrator can end. It is a wall without probes (no `paused_until`)
 *
 * Nothing waits for a wall: for every other run the endpoint is closed. It is also closed for a run that has waited for
 * an outage (`unavailable` or `timeout`) for too long.
 *
 * A manual pause overrides every state until someone ends it. `breaker.ts` stores the records.
 */

/** What is stored of an endpoint. It is paused or due if `paused_until` is set. */
export type EndpointRecord = Omit<Selectable<Schema["endpoints"]>, "name">;

export type EndpointState =
  | { kind: "open" }
  /** The pause has ended. The next lookup is the probe. */
  | { kind: "due" }
  /** A probe is in flight. Check again at `until`. */
  | (Omit<PausedState, "kind"> & { kind: "probing" })
  | PausedState
  | ClosedState;
/** No call is made for this run, and nothing waits: its cards and prices end with this outcome. */
export type ClosedState = { kind: "closed"; code: WallCode | "unavailable" | "not_configured"; message: string };
/** `until` is null during a manual pause. */
export type PausedState = { kind: "paused"; until: Date | null; code: PauseCode; message: string };

/** On whose behalf a lookup would be made: a run requested at `at`, which waits for an outage for `patienceMs`. */
export type RunRequest = { at: Date; patienceMs: number };

/** An endpoint that refused the probe as well. `isDue`: a new run may probe it now, else at `nextProbeAt`; never if null. */
export type Wall = { since: Date; code: WallCode; message: string; isDue: boolean; nextProbeAt: Date | null };
type WallCode = "blocked" | "forbidden";

/** What a lookup reports about its endpoint. `unclear`: no answer in time, or no call was made. */
export type EndpointReport =
  | { kind: "works" }
  | { kind: "unclear"; message: string }
  /**
   * `card`: the card or batch that was requested; an outage counts once for it. `needsAdministrator`: no later call can
   * succeed until someone acts, so there are no probes.
   */
  | { kind: "fails"; code: PauseCode; message: string; card?: string; needsAdministrator?: boolean }
  | { kind: "quota_gone"; until: Date | null; limit: number | null; message: string };
/** A report, whether its lookup was the probe, and how many of its reserved calls it did not make. */
export type ProbeReport = EndpointReport & { isProbe: boolean; refund: number };

/** `perDay` calls are allowed per 24 hours. One lookup uses at most `perCard` of them, and at least one. */
export type EndpointQuota = { perDay: number; perCard: number };
type At = { now: Date; quota?: EndpointQuota | undefined };
/** Calls in the 24-hour window; times are null without one. `limit` is assumed unless the upstream confirmed it. */
export type Quota = {
  limit: number;
  isConfirmed: boolean;
  used: number;
  remaining: number;
  startedAt: Date | null;
  resetsAt: Date | null;
};

const FAILURES_TO_PAUSE = 5;
const FIRST_PAUSE_MS = 60_000;
const FIRST_REFUSAL_PAUSE_MS = 30_000;
/** After this many failed probes of a wall, new runs must wait before the next probe. */
const FREE_PROBES = 3;
const LONGEST_PAUSE_MS = 900_000;
const FIRST_REFUSED_PROBE_MS = 1_000;
/** Delay before a row that finds a probe in flight checks again. */
const PROBE_CHECK_MS = 1_000;
const WINDOW_MS = 86_400_000;
/** A learned limit expires: accounts change, and a 429 without a token states the limit of another account. */
const LEARNED_FOR_MS = 7 * WINDOW_MS;

const OPEN = {
  paused_at: null,
  paused_until: null,
  probe_until: null,
  pause_code: null,
  pause_message: null,
  walled_at: null,
} as const;

const NO_FAILURES = { failures: 0, failed_cards: [] as string[] };

export const UNUSED: EndpointRecord = {
  ...OPEN,
  ...NO_FAILURES,
  pauses: 0,
  manually_paused_at: null,
  manually_paused_by: null,
  window_started_at: null,
  used: 0,
  learned_limit: null,
  learned_at: null,
};

const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);
const isLater = (time: Date | null, now: Date): boolean => time !== null && time > now;

export function quotaOf(record: EndpointRecord, { quota, now }: At): Quota | null {
  if (!quota) return null;
  const learned = isLater(record.learned_at, after(now, -LEARNED_FOR_MS)) ? record.learned_limit : null;
  const limit = Math.min(quota.perDay, learned ?? quota.perDay);
  const startedAt = isLater(record.window_started_at, after(now, -WINDOW_MS)) ? record.window_started_at : null;
  // After a 429, the quota counts as used up, whoever made the other calls.
  const isGone = isQuotaPause(record, now);
  const used = isGone ? limit : Math.min(startedAt ? record.used : 0, limit);
  const resetsAt = isGone ? record.paused_until : startedAt && after(startedAt, WINDOW_MS);
  return { limit, isConfirmed: learned !== null, used, remaining: limit - used, startedAt, resetsAt };
}

function isQuotaPause(record: EndpointRecord, now: Date): boolean {
  return record.pause_code === "quota_exhausted" && isLater(record.paused_until, now);
}

const isRefusal = (code: PauseCode | null): code is WallCode => code === "blocked" || code === "forbidden";

export function wallOf(record: EndpointRecord, now: Date): Wall | null {
  const { walled_at: walledAt, pause_code: code, pause_message: message } = record;
  if (!walledAt || !isRefusal(code)) return null;
  const { paused_until: nextProbeAt } = record;
  const isDue = nextProbeAt !== null && !isLater(nextProbeAt, now);
  return { since: record.paused_at ?? walledAt, code, message: message ?? "", isDue, nextProbeAt };
}

/** Whether a lookup would be admitted, apart from manual pauses. */
export function stateOf(record: EndpointRecord, asked: RunRequest, at: At): EndpointState {
  const { now } = at;
  const reason = { code: record.pause_code ?? "unavailable", message: record.pause_message ?? "" };
  const wall = wallOf(record, now);
  if (wall && !(wall.isDue && isLater(asked.at, record.walled_at ?? now)))
    return { kind: "closed", code: wall.code, message: `${wall.message}. Not retried: earlier calls were refused` };
  if (isLater(record.paused_until, now)) {
    const patienceEnd = patienceEndOf(record, asked);
    if (patienceEnd && patienceEnd <= now) {
      const message = `${reason.message}. It did not recover within ${Math.round(asked.patienceMs / 60_000)} minutes`;
      return { kind: "closed", code: "unavailable", message };
    }
    return { kind: "paused", until: earlier(record.paused_until, patienceEnd), ...reason };
  }
  const counted = quotaOf(record, at);
  if (counted?.resetsAt && counted.remaining < 1) {
    const message = quotaGoneMessage(counted.limit);
    return { kind: "paused", until: counted.resetsAt, code: "quota_exhausted", message };
  }
  if (isLater(record.probe_until, now)) return { kind: "probing", until: after(now, PROBE_CHECK_MS), ...reason };
  return { kind: record.paused_until ? "due" : "open" };
}

/** When a run stops waiting for the endpoint. Only outages have this limit. */
function patienceEndOf({ paused_at: pausedAt, pause_code: code }: EndpointRecord, { at, patienceMs }: RunRequest) {
  if (code !== "unavailable" && code !== "timeout") return null;
  return after(pausedAt && pausedAt > at ? pausedAt : at, patienceMs);
}

function earlier(time: Date | null, other: Date | null): Date | null {
  return time && other && other < time ? other : time;
}

export function quotaGoneMessage(limit: number): string {
  return `PSA's limit of ${limit} API ${limit === 1 ? "call" : "calls"} per day is used up`;
}

/** Admits a lookup at an endpoint that is open or due: starts a probe and reserves up to `calls` of the quota. */
export function admit(
  record: EndpointRecord,
  { calls, probeLeaseMs }: { calls?: number | undefined; probeLeaseMs: number },
  at: At,
): { record: EndpointRecord; isProbe: boolean; reserved: number } {
  const isProbe = record.paused_until !== null;
  const reserved = Math.min(calls ?? at.quota?.perCard ?? 0, quotaOf(record, at)?.remaining ?? 0);
  const reservedIn = withCalls(record, reserved, at);
  return { record: { ...reservedIn, probe_until: isProbe ? after(at.now, probeLeaseMs) : null }, isProbe, reserved };
}

export function withCalls(record: EndpointRecord, calls: number, at: At): EndpointRecord {
  const counted = quotaOf(record, at);
  if (!counted) return record;
  const used = (counted.startedAt ? record.used : 0) + calls;
  return { ...record, window_started_at: counted.startedAt ?? at.now, used };
}

export function next(record: EndpointRecord, report: ProbeReport, at: At): EndpointRecord {
  const { now } = at;
  const counted = { ...record, used: Math.max(0, record.used - report.refund) };
  if (record.walled_at !== null && record.paused_until === null && report.kind !== "works") return counted;
  switch (report.kind) {
    case "works": {
      // Opens the endpoint. A quota pause that began meanwhile stays, unless this lookup was its probe.
      const well = { ...counted, ...NO_FAILURES };
      return report.isProbe || well.pause_code !== "quota_exhausted" ? opened(well) : well;
    }
    case "unclear":
      return report.isProbe ? afterFailure(counted, { ...report, code: "timeout", counts: false }, now) : counted;
    case "fails": {
      if (report.needsAdministrator) return stopped(counted, report, now);
      const failed = withFailure(counted, report);
      return afterFailure(failed, { ...report, counts: failed.failures > record.failures }, now);
    }
    case "quota_gone":
      return afterQuotaGone(counted, report, at);
  }
}

/** Counts an outage once per card: a single card that its upstream can't answer must not pause the endpoint for everyone. */
function withFailure(record: EndpointRecord, { code, card }: { code: PauseCode; card?: string }): EndpointRecord {
  const failures = record.failures + 1;
  if (code !== "unavailable" || card === undefined) return { ...record, failures };
  if (record.failed_cards.includes(card)) return record;
  return { ...record, failures, failed_cards: [...record.failed_cards, card].slice(-FAILURES_TO_PAUSE) };
}

/** The record after someone resumed the endpoint, and whether that ended anything. Counted calls stay counted. */
export function resume(record: EndpointRecord): { record: EndpointRecord; result: boolean } {
  const ended = [record.manually_paused_at, record.paused_until, record.walled_at, record.learned_limit];
  if (ended.every((one) => one === null)) return { record, result: false };
  const manual = { manually_paused_at: null, manually_paused_by: null };
  return { record: { ...opened({ ...record, ...NO_FAILURES, learned_limit: null }), ...manual }, result: true };
}

/** The endpoint's record after its credentials were accepted: a refusal of credentials no longer holds. */
export function withAcceptedCredentials(record: EndpointRecord): EndpointRecord {
  return record.pause_code === "forbidden" ? opened({ ...record, ...NO_FAILURES }) : record;
}

/** The record with new credentials. Keeps counted calls, bot walls and manual pauses, which don't depend on them. */
export function withOtherCredentials(record: EndpointRecord): EndpointRecord {
  const forgotten = { ...record, learned_limit: null };
  return record.pause_code === "blocked" ? forgotten : opened({ ...forgotten, ...NO_FAILURES });
}

/** The endpoint's record without a learned limit and without a quota pause. Counted calls stay counted. */
export function withoutQuotaPause(record: EndpointRecord): EndpointRecord {
  const forgotten = { ...record, learned_limit: null };
  return record.pause_code === "quota_exhausted" ? opened(forgotten) : forgotten;
}

const opened = (record: EndpointRecord): EndpointRecord => ({ ...record, ...OPEN, pauses: 0 });

function stopped(record: EndpointRecord, { code, message }: { code: PauseCode; message: string }, now: Date) {
  return { ...record, ...OPEN, paused_at: now, walled_at: now, pause_code: code, pause_message: message };
}

/**
 * The fifth failure in a row pauses the endpoint. A failed probe pauses it again for longer; a refused one is a wall.
 * The first lookup after a quota pause is a regular one: the endpoint had not failed. `unclear` doesn't count.
 */
function afterFailure(
  record: EndpointRecord,
  { isProbe, code, message, counts }: { isProbe: boolean; code: PauseCode; message: string; counts: boolean },
  now: Date,
): EndpointRecord {
  // A quota pause that began meanwhile lasts longer, so it stays.
  if (isQuotaPause(record, now)) return record;
  const isFailedProbe = isProbe && record.pause_code !== "quota_exhausted";
  const isFifth = counts && record.failures >= FAILURES_TO_PAUSE && (isProbe || record.paused_until === null);
  if (!isFailedProbe && !isFifth) return isProbe ? opened(record) : record;
  const isWall = isFailedProbe && isRefusal(code);
  const firstPauseMs = isRefusal(code) ? FIRST_REFUSAL_PAUSE_MS : FIRST_PAUSE_MS;
  // How long no run may probe a wall.
  const wallPauseMs = record.pauses <= FREE_PROBES ? 0 : doubled(FIRST_PAUSE_MS, record.pauses - FREE_PROBES - 1);
  const isSameTrouble = isRefusal(code) === isRefusal(record.pause_code);
  return {
    ...record,
    pauses: record.pauses + 1,
    paused_at: (isSameTrouble ? record.paused_at : null) ?? now,
    paused_until: after(now, isWall ? wallPauseMs : doubled(firstPauseMs, record.pauses)),
    probe_until: null,
    pause_code: code,
    pause_message: message,
    walled_at: isWall ? now : null,
  };
}

/**
 * Pauses the endpoint until the time that the upstream named, else until the window ends. If it named a daily limit,
 * stores it and moves the window to end with the pause: the upstream doesn't count from midnight.
 */
function afterQuotaGone(
  record: EndpointRecord,
  { until, limit, message, isProbe }: Extract<ProbeReport, { kind: "quota_gone" }>,
  { quota, now }: At,
): EndpointRecord {
  // A probe refused again waits at least 1 s, then 2 s, 4 s and so on, even if the upstream sends `Retry-After: 0`.
  const earliest = isProbe ? after(now, doubled(FIRST_REFUSED_PROBE_MS, record.pauses)) : now;
  const named = until && (until > earliest ? until : earliest);
  const pausedUntil = named ?? after(record.window_started_at ?? now, WINDOW_MS);
  const window = { learned_limit: limit, learned_at: now, window_started_at: after(pausedUntil, -WINDOW_MS) };
  return {
    ...record,
    ...NO_FAILURES,
    pauses: isProbe ? record.pauses + 1 : 0,
    paused_at: record.paused_at ?? now,
    paused_until: pausedUntil,
    probe_until: null,
    pause_code: "quota_exhausted",
    pause_message: message,
    walled_at: null,
    ...(quota && limit !== null && window),
  };
}

const doubled = (firstMs: number, times: number): number => Math.min(firstMs * 2 ** times, LONGEST_PAUSE_MS);
