import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { recordOf } from "@slabdesk/contract/api/cards.ts";
import { SOURCE_TITLES, type SourceName } from "@slabdesk/contract/api/sources.ts";
import { formatUtcMoment } from "@slabdesk/contract/certs/dates.ts";
import { createBatches } from "../concurrency/batches.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { rowsOf } from "../database/statements.ts";
import * as rules from "./breaker-rules.ts";
import type { EndpointQuota, EndpointRecord, EndpointReport, EndpointState, Quota, Wall } from "./breaker-rules.ts";
import { LOOKUP_ENDPOINT_NAMES, LOOKUP_ENDPOINTS, SOURCE_OF, type LookupEndpoint } from "./endpoint.ts";
import { noteUselessAnswer } from "./on-behalf-of.ts";

/*
 * The circuit breaker of each endpoint, shared by all nodes: a row of `endpoints`, locked while breaker-rules.ts
 * decides by the database's clock. Changes that come meanwhile share the next transaction instead of queueing.
 */

/** An admitted lookup. `reserved` calls were counted in advance; `report` refunds unused ones. */
export type Admission = { kind: "admitted"; endpoint: LookupEndpoint; isProbe: boolean; reserved: number };
export type Refusal = Exclude<EndpointState, { kind: "open" | "due" }>;

/** `pausedAt`: start of the current pause. `message`: its reason. `manualPause`: who paused the endpoint and when. */
export type EndpointStatus = {
  state: EndpointState;
  quota: Quota | null;
  wall: Wall | null;
  pausedAt: Date | null;
  message: string | null;
  manualPause: { by: string; at: Date } | null;
};

/** `probeLeaseMs` is the time after which another lookup may replace a probe that has not reported. */
export type BreakerSettings = {
  quotas: Partial<Record<LookupEndpoint, EndpointQuota>>;
  probeLeaseMs: (endpoint: LookupEndpoint) => number;
  outagePatienceMs: number;
};
export type Breaker = ReturnType<typeof createBreaker>;

const NOW = sql<Date>`clock_timestamp()`.as("now");

function selectRecord(db: Database, endpoint: LookupEndpoint) {
  return db.selectFrom("endpoints").selectAll().select(NOW).where("name", "=", endpoint);
}

export function createBreaker(db: Database, { quotas, probeLeaseMs, outagePatienceMs }: BreakerSettings) {
  const changeRecord = changesOf(db);

  function statusOf(endpoint: LookupEndpoint, record: EndpointRecord, now: Date, requestedAt = now): EndpointStatus {
    const { manually_paused_at: at, manually_paused_by: by } = record;
    const quota = quotas[endpoint];
    const manualPause = at && { at, by: by ?? "an administrator" };
    const state: EndpointState = manualPause
      ? { kind: "paused", until: null, code: "unavailable", message: manualPauseMessage(endpoint, manualPause) }
      : rules.stateOf(record, { at: requestedAt, patienceMs: outagePatienceMs }, { quota, now });
    const { paused_at: pausedAt, pause_message: message } = record;
    const wall = rules.wallOf(record, now);
    return { state, quota: rules.quotaOf(record, { quota, now }), wall, pausedAt, message, manualPause };
  }

  return {
    /** Returns an endpoint's state for a run requested at `requestedAt`, by default now. It may change before `admit`. */
    async status(endpoint: LookupEndpoint, requestedAt?: Date): Promise<EndpointStatus> {
      const { now, ...record } = await selectRecord(db, endpoint).executeTakeFirstOrThrow();
      return statusOf(endpoint, record, now, requestedAt);
    },

    async statuses(): Promise<Record<LookupEndpoint, EndpointStatus>> {
      const records = await db.selectFrom("endpoints").selectAll().select(NOW).execute();
      const of = (endpoint: LookupEndpoint): EndpointStatus => {
        const found = records.find(({ name }) => name === endpoint);
        if (!found) throw new Error(`The endpoints table has no row for ${endpoint}`);
        return statusOf(endpoint, found, found.now);
      };
      return recordOf(LOOKUP_ENDPOINT_NAMES, (endpoint) => [endpoint, of(endpoint)]);
    },

    /** Admits one lookup of up to `calls` calls, or returns why not. Every admission must be passed to `report`. */
    async admit(endpoint: LookupEndpoint, requestedAt?: Date, calls?: number): Promise<Admission | Refusal> {
      return changeRecord<Admission | Refusal>(endpoint, (record, now) => {
        const { state } = statusOf(endpoint, record, now, requestedAt);
        if (state.kind !== "open" && state.kind !== "due") return { record, result: state };
        const terms = { calls, probeLeaseMs: probeLeaseMs(endpoint) };
        const { record: admitted, ...rest } = rules.admit(record, terms, { quota: quotas[endpoint], now });
        return { record: admitted, result: { kind: "admitted", endpoint, ...rest } };
      });
    },

    /**
     * Records the result of a lookup that made `spent` calls. Returns the end of a quota pause, else null. Call it in
     * the same turn of the event loop as the lookup's last answer, which counts as useless if the lookup failed.
     */
    async report({ endpoint, isProbe, reserved }: Admission, spent: number, report: EndpointReport) {
      if (report.kind !== "works") noteUselessAnswer();
      const completed = { ...report, isProbe, refund: Math.max(0, reserved - spent) };
      return changeRecord<Date | null>(endpoint, (before, now) => {
        const record = rules.next(before, completed, { quota: quotas[endpoint], now });
        return { record, result: report.kind === "quota_gone" ? record.paused_until : null };
      });
    },

    countCall(endpoint: LookupEndpoint): Promise<void> {
      return changeRecord(endpoint, (before, now) => {
        const record = rules.withCalls(before, 1, { quota: quotas[endpoint], now });
        return { record, result: undefined };
      });
    },

    ...switchesOf(db, changeRecord),
  };
}

export function manualPauseMessage(endpoint: LookupEndpoint, { by, at }: { by: string; at: Date }): string {
  return `${SOURCE_TITLES[SOURCE_OF[endpoint]]} was paused by ${by} on ${formatUtcMoment(at.getTime())} UTC`;
}

function switchesOf(db: Database, changeRecord: ReturnType<typeof changesOf>) {
  const changeBy = (rule: (record: EndpointRecord) => EndpointRecord) => (endpoint: LookupEndpoint) =>
    changeRecord(endpoint, (record) => ({ record: rule(record), result: undefined }));
  return {
    /** Pauses all endpoints of an upstream on all nodes. Returns false if they are already paused manually. */
    async pause(source: SourceName, by: string): Promise<boolean> {
      const paused = await rowsOf(db)`
        UPDATE endpoints SET manually_paused_at = clock_timestamp(), manually_paused_by = ${by}
        WHERE name = ANY(${LOOKUP_ENDPOINTS[source]}) AND manually_paused_at IS NULL RETURNING name`;
      return paused.length > 0;
    },

    /** Resumes all endpoints of an upstream. Returns false if none was paused and no limit was learned. */
    resume(source: SourceName): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        let isChanged = false;
        for (const endpoint of LOOKUP_ENDPOINTS[source])
          isChanged = (await changeRecordIn(trx, endpoint, rules.resume)) || isChanged;
        return isChanged;
      });
    },

    /** Opens an endpoint that refused our credentials, because they were accepted now. */
    acceptCredentials: changeBy(rules.withAcceptedCredentials),

    /** Ends the pauses that may have come from the earlier credentials. */
    changeCredentials: changeBy(rules.withOtherCredentials),

    /** Clears the learned limit and any quota pause. Counted calls stay counted. */
    forgetQuota: changeBy(rules.withoutQuotaPause),
  };
}

type Change<T> = (record: EndpointRecord, now: Date) => { record: EndpointRecord; result: T };

function changesOf(db: Database) {
  const run = createBatches((endpoint: LookupEndpoint, changes: readonly Change<() => void>[]) =>
    db.transaction().execute((trx) =>
      changeRecordIn(trx, endpoint, (before, now) => {
        let record = before;
        const result = changes.map((change) => {
          const changed = change(record, now);
          record = changed.record;
          return changed.result;
        });
        return { record, result };
      }),
    ),
  );
  return async <T>(endpoint: LookupEndpoint, change: Change<T>): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<T>();
    const tellResult = await run(endpoint, (before, now) => {
      const { record, result } = change(before, now);
      return { record, result: () => resolve(result) };
    });
    tellResult();
    return promise;
  };
}

async function changeRecordIn<T>(trx: DatabaseTransaction, endpoint: LookupEndpoint, change: Change<T>): Promise<T> {
  const { now, name, ...before } = await selectRecord(trx, endpoint).forUpdate().executeTakeFirstOrThrow();
  const { record, result } = change(before, now);
  if (!isDeepStrictEqual(record, before))
    await trx.updateTable("endpoints").set(record).where("name", "=", name).execute();
  return result;
}
