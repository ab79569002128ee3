import { sql, type RawBuilder } from "kysely";
import type { SourceName } from "@slabdesk/contract/api/sources.ts";
import type { Database } from "../database/connection.ts";
import type { PauseCode } from "../database/schema.ts";
import { LOOKUP_ENDPOINTS, type LookupEndpoint } from "./endpoint.ts";
import { manualPauseMessage } from "./manual-pause.ts";

/*
 * The circuit breaker of each endpoint, shared by all nodes. Each endpoint's state is one row of `endpoints`.
 *
 * An endpoint pauses when its daily quota is used up, when the upstream returns 429, or after five failed look-ups in a
 * row. When the pause ends, one look-up goes through as the probe. It opens the endpoint or pauses it again. A manual
 * pause overrides every other state and applies to all endpoints of an upstream until someone resumes it.
 */

export type Gate =
  | { kind: "open" }
  /** The pause has ended. The next look-up is the probe. */
  | { kind: "due" }
  /** A probe is in flight. Check again at `until`. */
  | (Omit<PausedGate, "kind"> & { kind: "probing" })
  | PausedGate;
/** `until` is null during a manual pause. */
export type PausedGate = { kind: "paused"; until: Date | null; code: PauseCode; message: string };

/** An admitted look-up. `reserved` calls were counted in advance; `report` refunds unused ones. */
export type Admission = { kind: "admitted"; endpoint: LookupEndpoint; isProbe: boolean; reserved: number };

/** What a look-up reports about its endpoint. `unclear`: no answer in time, or no call was made. */
export type EndpointReport =
  | { kind: "works" }
  | { kind: "unclear"; message: string }
  | { kind: "fails"; code: PauseCode; message: string }
  | { kind: "quota_gone"; until: Date | null; limit: number | null; message: string };

/**
 * Calls in the current 24-hour window. After a 429, `used` equals `limit`. Both times are null if no window is open.
 */
export type Quota = { limit: number; used: number; remaining: number; startedAt: Date | null; resetsAt: Date | null };

/** `pausedAt`: start of the current pause. `message`: its reason. `manualPause`: who paused the endpoint and when. */
export type EndpointState = {
  gate: Gate;
  quota: Quota | null;
  pausedAt: Date | null;
  message: string | null;
  manualPause: { by: string; at: Date } | null;
};

/** `perDay` calls are allowed per 24 hours. One look-up needs `perCard` of them. */
export type EndpointQuota = { perDay: number; perCard: number };
/** `probeLeaseMs` is the time after which another look-up may replace a probe that has not reported. */
export type BreakerSettings = {
  quotas: Partial<Record<LookupEndpoint, EndpointQuota>>;
  probeLeaseMs: (endpoint: LookupEndpoint) => number;
};
export type Breaker = ReturnType<typeof createBreaker>;

const FAILURES_TO_PAUSE = 5;
const FIRST_PAUSE_S = 60;
const LONGEST_PAUSE_S = 900;
const FIRST_REFUSED_PROBE_S = 1;
const doublingFrom = (firstS: number) =>
  sql`LEAST(${firstS} * power(2, LEAST(pauses, 20)), ${LONGEST_PAUSE_S})::float8`;
const WINDOW = sql`interval '24 hours'`;
/** A learned limit expires: accounts change, and a 429 without a token states the limit of another account. */
const BELIEVED = sql`interval '7 days'`;
const LEARNED_LIMIT = sql`CASE WHEN learned_at > clock_timestamp() - ${BELIEVED} THEN learned_limit END`;

/** Creates the breakers of all endpoints. Their state is stored in the database. */
export function createBreaker(db: Database, { quotas, probeLeaseMs }: BreakerSettings) {
  const stateOf = (record: EndpointRecord, endpoint: LookupEndpoint): EndpointState => {
    const quota = quotaOf(record, quotas[endpoint]);
    const manualPause = manualPauseOf(record);
    const gate: Gate = manualPause
      ? { kind: "paused", until: null, code: "unavailable", message: manualPauseMessage(endpoint, manualPause) }
      : gateOf(record, quota, quotas[endpoint]?.perCard ?? 0);
    return { gate, quota, pausedAt: record.paused_at, message: record.pause_message, manualPause };
  };

  return {
    /** Returns an endpoint's state. It may have changed by the time of `admit`. */
    async state(endpoint: LookupEndpoint): Promise<EndpointState> {
      const { rows } = await sql<EndpointRecord>`SELECT ${COLUMNS} FROM endpoints WHERE name = ${endpoint}`.execute(db);
      return stateOf(demandOne(rows, endpoint), endpoint);
    },

    /** Returns the state of all endpoints in one query. */
    async states(): Promise<Record<LookupEndpoint, EndpointState>> {
      const { rows } = await sql<EndpointRecord & { name: string }>`SELECT name, ${COLUMNS} FROM endpoints`.execute(db);
      const of = (endpoint: LookupEndpoint) => {
        const records = rows.filter(({ name }) => name === endpoint);
        return stateOf(demandOne(records, endpoint), endpoint);
      };
      return {
        "psa-api": of("psa-api"),
        "psa-page": of("psa-page"),
        "cgc-api": of("cgc-api"),
        "cgc-page": of("cgc-page"),
        "tag-api": of("tag-api"),
        "tag-page": of("tag-page"),
        cardladder: of("cardladder"),
        cardsiq: of("cardsiq"),
      };
    },

    /** Admits one look-up or returns why not. Every admission must be passed to `report`. */
    async admit(endpoint: LookupEndpoint): Promise<Admission | Exclude<Gate, { kind: "open" | "due" }>> {
      for (;;) {
        const { rows } = await takeTurn(endpoint, quotas[endpoint], probeLeaseMs(endpoint)).execute(db);
        const before = demandOne(rows, endpoint);
        const { gate } = stateOf(before, endpoint);
        if (before.taken) return { kind: "admitted", endpoint, isProbe: before.is_probe, reserved: before.reserved };
        if (gate.kind === "paused" || gate.kind === "probing") return gate;
        if (gate.kind === "open" && !quotas[endpoint])
          return { kind: "admitted", endpoint, isProbe: false, reserved: 0 };
        // Another look-up took the turn between the read and the update. Try again.
      }
    },

    /** Records the result of a look-up that made `spent` calls. Returns the end of a quota pause, else null. */
    async report(admission: Admission, spent: number, report: EndpointReport): Promise<Date | null> {
      const change = { ...admission, refund: Math.max(0, admission.reserved - spent) };
      switch (report.kind) {
        case "works":
          await noteWorking(change).execute(db);
          return null;
        case "unclear":
          await (
            admission.isProbe
              ? noteFailure(change, { code: "timeout", message: report.message, counts: false })
              : giveBack(change)
          ).execute(db);
          return null;
        case "fails":
          await noteFailure(change, { ...report, counts: true }).execute(db);
          return null;
        case "quota_gone": {
          const { rows } = await noteQuotaGone(change, report, quotas[admission.endpoint]).execute(db);
          return rows[0]?.paused_until ?? null;
        }
      }
    },

    ...switchesOf(db),
  };
}

/** Manual switches for administrators. */
function switchesOf(db: Database) {
  return {
    /** Pauses all endpoints of an upstream on all nodes. Returns false if they are already paused manually. */
    async hold(source: SourceName, by: string): Promise<boolean> {
      const { numAffectedRows } = await sql`
        UPDATE endpoints SET manually_paused_at = clock_timestamp(), manually_paused_by = ${by}
        WHERE name = ANY(${LOOKUP_ENDPOINTS[source]}) AND manually_paused_at IS NULL`.execute(db);
      return Number(numAffectedRows ?? 0) > 0;
    },

    /**
     * Resumes all endpoints of an upstream, whatever paused them. Counted calls stay counted. Returns false if no
     * endpoint was paused and no limit was learned.
     */
    async open(source: SourceName): Promise<boolean> {
      const { numAffectedRows } = await sql`
        UPDATE endpoints SET manually_paused_at = NULL, manually_paused_by = NULL, failures = 0, pauses = 0, learned_limit = NULL, ${OPENED}
        WHERE name = ANY(${LOOKUP_ENDPOINTS[source]})
          AND (manually_paused_at IS NOT NULL OR paused_until IS NOT NULL OR learned_limit IS NOT NULL)`.execute(db);
      return Number(numAffectedRows ?? 0) > 0;
    },

    /** Clears the learned limit and any quota pause. Counted calls stay counted. */
    async forgetQuota(endpoint: LookupEndpoint): Promise<void> {
      await sql`
        UPDATE endpoints SET learned_limit = NULL,
          paused_at = CASE WHEN pause_code = 'quota_exhausted' THEN NULL ELSE paused_at END,
          paused_until = CASE WHEN pause_code = 'quota_exhausted' THEN NULL ELSE paused_until END,
          probe_until = CASE WHEN pause_code = 'quota_exhausted' THEN NULL ELSE probe_until END
        WHERE name = ${endpoint}`.execute(db);
    },
  };
}

type EndpointRecord = {
  manually_paused_at: Date | null;
  manually_paused_by: string | null;
  paused_at: Date | null;
  is_paused: boolean;
  is_over: boolean;
  is_probing: boolean;
  look_again_at: Date;
  paused_until: Date | null;
  pause_code: PauseCode | null;
  pause_message: string | null;
  window_started_at: Date | null;
  resets_at: Date | null;
  used: number;
  learned_limit: number | null;
};

/** Keeps the start of the first pause when a failed probe extends it. */
const PAUSE_BEGAN = sql`COALESCE(paused_at, clock_timestamp())`;
const OPENED = sql`paused_at = NULL, paused_until = NULL, probe_until = NULL, pause_code = NULL, pause_message = NULL`;
const HAS_NO_WINDOW = sql`COALESCE(window_started_at <= clock_timestamp() - ${WINDOW}, true)`;
/** Delay before a row that finds a probe in flight checks again. */
const PROBE_LOOK = sql`interval '1 second'`;
const COLUMNS = sql`
  manually_paused_at, manually_paused_by, paused_at, paused_until, pause_code, pause_message, ${LEARNED_LIMIT} AS learned_limit,
  paused_until IS NOT NULL AS is_paused,
  COALESCE(paused_until <= clock_timestamp(), false) AS is_over,
  COALESCE(probe_until > clock_timestamp(), false) AS is_probing,
  clock_timestamp() + ${PROBE_LOOK} AS look_again_at,
  CASE WHEN NOT ${HAS_NO_WINDOW} THEN window_started_at END AS window_started_at,
  CASE WHEN NOT ${HAS_NO_WINDOW} THEN window_started_at + ${WINDOW} END AS resets_at,
  CASE WHEN NOT ${HAS_NO_WINDOW} THEN used ELSE 0 END AS used`;

function demandOne<T>(rows: readonly T[], endpoint: LookupEndpoint): T {
  const [row] = rows;
  if (!row) throw new Error(`The endpoints table has no row for ${endpoint}`);
  return row;
}

function quotaOf(record: EndpointRecord, quota: EndpointQuota | undefined): Quota | null {
  if (!quota) return null;
  const limit = Math.min(quota.perDay, record.learned_limit ?? quota.perDay);
  const isGone = record.is_paused && !record.is_over && record.pause_code === "quota_exhausted";
  // After a 429, the quota counts as used up, whoever made the other calls.
  const used = isGone ? limit : Math.min(record.used, limit);
  return {
    limit,
    used,
    remaining: limit - used,
    startedAt: record.window_started_at,
    resetsAt: isGone ? record.paused_until : record.resets_at,
  };
}

function manualPauseOf({
  manually_paused_at: at,
  manually_paused_by: by,
}: Pick<EndpointRecord, "manually_paused_at" | "manually_paused_by">): EndpointState["manualPause"] {
  return at && { at, by: by ?? "an administrator" };
}

export function quotaGoneMessage(limit: number): string {
  return `PSA's limit of ${limit} API calls per day is used up`;
}

function gateOf(record: EndpointRecord, quota: Quota | null, perCard: number): Gate {
  if (record.paused_until && !record.is_over) {
    const { paused_until: until, pause_code: code, pause_message: message } = record;
    return { kind: "paused", until, code: code ?? "unavailable", message: message ?? "" };
  }
  if (quota?.resetsAt && quota.remaining < Math.min(perCard, quota.limit)) {
    return { kind: "paused", until: quota.resetsAt, code: "quota_exhausted", message: quotaGoneMessage(quota.limit) };
  }
  if (record.is_probing) {
    const { look_again_at: until, pause_code: code, pause_message: message } = record;
    return { kind: "probing", until, code: code ?? "unavailable", message: message ?? "" };
  }
  if (record.is_paused) return { kind: "due" };
  return { kind: "open" };
}

/**
 * Atomically starts a probe or reserves quota. Returns the endpoint's previous state and, in `taken`, whether the
 * update succeeded. An open endpoint without a quota needs no update.
 */
function takeTurn(
  endpoint: LookupEndpoint,
  quota: EndpointQuota | undefined,
  probeLeaseMs: number,
): RawBuilder<EndpointRecord & { taken: boolean; is_probe: boolean; reserved: number }> {
  const limit = sql`LEAST(${LEARNED_LIMIT}, ${quota?.perDay ?? null}::int)`;
  const reserved = quota ? sql`LEAST(${quota.perCard}::int, ${limit})` : sql`0`;
  const count = sql`
    , window_started_at = CASE WHEN ${HAS_NO_WINDOW} THEN clock_timestamp() ELSE window_started_at END
    , used = CASE WHEN ${HAS_NO_WINDOW} THEN 0 ELSE used END + ${reserved}`;
  const mayCount = sql`(${HAS_NO_WINDOW} OR used + ${reserved} <= ${limit})`;
  return sql`
    WITH taken AS (
      UPDATE endpoints SET probe_until = CASE WHEN paused_until IS NOT NULL
          THEN clock_timestamp() + make_interval(secs => ${probeLeaseMs / 1000}) END
        ${quota ? count : sql``}
      WHERE name = ${endpoint} AND manually_paused_at IS NULL AND ${quota ? mayCount : sql`paused_until IS NOT NULL`}
        AND (paused_until IS NULL
          OR (paused_until <= clock_timestamp() AND COALESCE(probe_until <= clock_timestamp(), true)))
      RETURNING probe_until IS NOT NULL AS is_probe
    )
    SELECT ${COLUMNS}, EXISTS (SELECT FROM taken) AS taken, COALESCE((SELECT is_probe FROM taken), false) AS is_probe, ${reserved} AS reserved FROM endpoints WHERE name = ${endpoint}`;
}

type Change = Admission & { refund: number };

function giveBack({ endpoint, refund }: Change): RawBuilder<unknown> {
  return sql`UPDATE endpoints SET used = GREATEST(0, used - ${refund}) WHERE name = ${endpoint} AND ${refund} > 0`;
}

/** Opens the endpoint. A quota pause that began meanwhile stays, unless this look-up was its probe. */
function noteWorking({ endpoint, refund, isProbe }: Change): RawBuilder<unknown> {
  const opens = sql`(${isProbe} OR pause_code IS DISTINCT FROM 'quota_exhausted')`;
  return sql`
    UPDATE endpoints SET used = GREATEST(0, used - ${refund}), failures = 0,
      pauses = CASE WHEN ${opens} THEN 0 ELSE pauses END,
      paused_at = CASE WHEN ${opens} THEN NULL ELSE paused_at END,
      paused_until = CASE WHEN ${opens} THEN NULL ELSE paused_until END,
      probe_until = CASE WHEN ${opens} THEN NULL ELSE probe_until END,
      pause_code = CASE WHEN ${opens} THEN NULL ELSE pause_code END,
      pause_message = CASE WHEN ${opens} THEN NULL ELSE pause_message END
    WHERE name = ${endpoint} AND (failures > 0 OR paused_until IS NOT NULL OR ${refund} > 0)`;
}

/**
 * The fifth failure in a row pauses the endpoint. A failed probe pauses it again for longer. The first look-up after a
 * quota pause counts as a regular one, because the endpoint had not failed. `unclear` results don't count.
 */
function noteFailure(
  { endpoint, refund, isProbe }: Change,
  { code, message, counts }: { code: PauseCode; message: string; counts: boolean },
): RawBuilder<unknown> {
  // A quota pause that began meanwhile lasts longer, so it stays.
  const isRefused = sql`COALESCE(pause_code = 'quota_exhausted' AND paused_until > clock_timestamp(), false)`;
  const isRealProbe = sql`(${isProbe} AND pause_code IS DISTINCT FROM 'quota_exhausted')`;
  const isFifth = sql`(${counts} AND failures + 1 >= ${FAILURES_TO_PAUSE} AND (paused_until IS NULL OR ${isProbe}))`;
  const pauses = sql`(NOT ${isRefused} AND (${isRealProbe} OR ${isFifth}))`;
  const opens = sql`(${isProbe} AND NOT ${isRefused})`;
  return sql`
    UPDATE endpoints SET used = GREATEST(0, used - ${refund}), failures = failures + ${counts ? 1 : 0},
      pauses = CASE WHEN ${pauses} THEN pauses + 1 WHEN ${opens} THEN 0 ELSE pauses END,
      paused_at = CASE WHEN ${pauses} THEN ${PAUSE_BEGAN} WHEN ${opens} THEN NULL ELSE paused_at END,
      paused_until = CASE WHEN ${pauses} THEN clock_timestamp() + make_interval(secs => ${doublingFrom(FIRST_PAUSE_S)})
        WHEN ${opens} THEN NULL ELSE paused_until END,
      probe_until = CASE WHEN ${pauses} OR ${opens} THEN NULL ELSE probe_until END,
      pause_code = CASE WHEN ${pauses} THEN ${code} WHEN ${opens} THEN NULL ELSE pause_code END,
      pause_message = CASE WHEN ${pauses} THEN ${message} WHEN ${opens} THEN NULL ELSE pause_message END
    WHERE name = ${endpoint}`;
}

/**
 * Pauses the endpoint until the time that the upstream named, else until the end of the 24-hour window. If the upstream
 * named a daily limit, stores it and moves the window to end with the pause: the upstream counts from the first call,
 * not from midnight.
 */
function noteQuotaGone(
  { endpoint, refund, isProbe }: Change,
  { until, limit, message }: Extract<EndpointReport, { kind: "quota_gone" }>,
  quota: EndpointQuota | undefined,
): RawBuilder<{ paused_until: Date }> {
  // A probe refused again waits at least 1 s, then 2 s, 4 s and so on, even if the upstream sends `Retry-After: 0`.
  const least = isProbe ? doublingFrom(FIRST_REFUSED_PROBE_S) : sql`0`;
  const pausedUntil = sql`COALESCE(
    GREATEST(${until}::timestamptz, CASE WHEN ${until}::timestamptz IS NOT NULL
      THEN clock_timestamp() + make_interval(secs => ${least}) END),
    window_started_at + ${WINDOW}, clock_timestamp() + ${WINDOW})`;
  const learn = sql`
    , learned_limit = ${limit}::int, learned_at = clock_timestamp()
    , window_started_at = ${pausedUntil} - ${WINDOW}`;
  return sql`
    UPDATE endpoints SET paused_at = ${PAUSE_BEGAN}, paused_until = ${pausedUntil}, probe_until = NULL, failures = 0,
      pauses = ${isProbe ? sql`pauses + 1` : sql`0`},
      pause_code = 'quota_exhausted', pause_message = ${message}, used = GREATEST(0, used - ${refund})
      ${quota && limit !== null ? learn : sql``}
    WHERE name = ${endpoint}
    RETURNING paused_until`;
}
