import { sql } from "kysely";
import { recordOf } from "@slabdesk/contract/api/cards.ts";
import { pause, repeat } from "../concurrency/repeat.ts";
import type { Database } from "../database/connection.ts";
import { type Endpoint, type EndpointName, type Endpoints, ENDPOINT_NAMES } from "./endpoint.ts";
import { callerNow, type Caller, type CallEnding } from "./on-behalf-of.ts";

/*
 * Logs upstream calls in batches in the background, so that it neither slows nor breaks them. An answer that could not
 * be used is `useless`, by its HTTP status or because the breaker says so. Therefore, a call is written only
 * after its caller's work has ended.
 */

type NotedCall = {
  endpoint: EndpointName;
  at: Date;
  ms: number;
  ending: CallEnding;
  status: number | null;
  caller: Caller | null;
};

export function createCallLog(db: Database, report: (error: Error) => void, writeEveryMs: number) {
  const closing = new AbortController();
  let calls: NotedCall[] = [];

  async function write(areAllDone = false): Promise<void> {
    const isDone = ({ caller }: NotedCall): boolean => areAllDone || !caller?.isWorking;
    const written = calls.filter(isDone);
    calls = calls.filter((call) => !isDone(call));
    if (written.length === 0) return;
    await insertCalls(db, written).catch((cause: unknown) => {
      report(new Error(`Could not log ${written.length} upstream calls`, { cause }));
    });
  }

  async function writeNowAndThen(): Promise<void> {
    while (!closing.signal.aborted) {
      await pause(writeEveryMs, closing.signal);
      await write();
    }
  }
  const writing = writeNowAndThen();

  const note =
    (name: EndpointName, endpoint: Endpoint): Endpoint =>
    async (request) => {
      const [at, caller] = [new Date(), callerNow()];
      const startedAt = performance.now();
      const answer = await endpoint(request);
      const ms = Math.round(performance.now() - startedAt);
      const status = answer.kind === "answered" ? answer.status : null;
      const isRefusal = status !== null && status >= 400 && status !== 404;
      const ending = isRefusal ? "useless" : answer.kind;
      const call: NotedCall = { endpoint: name, at, ms, ending, status, caller };
      calls.push(call);
      if (caller) caller.lastCall = call;
      return answer;
    };

  return {
    noted: (endpoints: Endpoints): Endpoints => recordOf(ENDPOINT_NAMES, (name) => [name, note(name, endpoints[name])]),
    async close(): Promise<void> {
      closing.abort();
      await writing;
      await write(true);
    },
  };
}

async function insertCalls(db: Database, calls: readonly NotedCall[]): Promise<void> {
  const records = calls.map(({ caller, ...call }) => ({ ...call, person: caller?.userId ?? null }));
  await sql`
    INSERT INTO upstream_calls (endpoint, called_at, duration_ms, ending, status, user_id)
    SELECT endpoint, at, ms, ending, status, person
    FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      AS call (endpoint text, at timestamptz, ms integer, ending text, status integer, person text)`.execute(db);
}

const KEPT = sql<Date>`now() - interval '90 days'`;
const FORGET_EVERY_MS = 3_600_000;

/** Deletes upstream calls and price requests older than 90 days. Their daily counts stay. */
export async function forgetOldCalls(db: Database): Promise<void> {
  await db.deleteFrom("upstream_calls").where("called_at", "<", KEPT).execute();
  await db.deleteFrom("price_requests").where("requested_at", "<", KEPT).execute();
}

/** Runs `forgetOldCalls` every hour until the signal aborts. Resolves when the last run ends. */
export function startCallRetention(db: Database, report: (error: Error) => void, closing: AbortSignal): Promise<void> {
  const failure = "Failed to delete old upstream calls; retrying in an hour";
  return repeat(() => forgetOldCalls(db), { everyMs: FORGET_EVERY_MS, failure, report, closing });
}
