import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { pause } from "../pause.ts";
import type { Endpoint, EndpointName, Endpoints, UpstreamAnswer } from "./endpoint.ts";
import { ENDPOINT_NAMES } from "./endpoint.ts";
import { callerNow } from "./on-behalf-of.ts";

/*
 * Every call to an upstream, with how it ended, how long it took and for whom it was made. Written now and then beside
 * the calls, so that noting a call neither slows nor breaks it; what cannot be written is reported and let go.
 *
 * A call that came to an answer is `answered` or, when nothing could be made of the answer, `useless`. Its status decides
 * until its reader has judged it. That happens in the turn of the event loop in which the answer came, the writing in
 * one of its own: none is written in between.
 */

export type CallLog = {
  /** The same endpoints, with each call noted. */
  noted(endpoints: Endpoints): Endpoints;
  /** Writes what is left. */
  close(): Promise<void>;
};

type NotedCall = {
  endpoint: EndpointName;
  at: Date;
  ms: number;
  ending: UpstreamAnswer["kind"] | "useless";
  status: number | null;
  person: string | null;
};

const KEPT = sql`interval '90 days'`;

/** Starts the log of a node, written every `writeEveryMs`; calls older than 90 days are forgotten. */
export function createCallLog(db: Database, report: (error: Error) => void, writeEveryMs: number): CallLog {
  const closing = new AbortController();
  let calls: NotedCall[] = [];

  async function write(): Promise<void> {
    const written = calls;
    calls = [];
    if (written.length === 0) return;
    try {
      await insertCalls(db, written);
    } catch (error) {
      report(new Error(`${written.length} calls to upstreams could not be noted`, { cause: error }));
    }
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
      const [at, person] = [new Date(), callerNow()];
      const startedAt = performance.now();
      const answer = await endpoint(request);
      const ms = Math.round(performance.now() - startedAt);
      if (answer.kind !== "answered") {
        calls.push({ endpoint: name, at, ms, ending: answer.kind, status: null, person });
        return answer;
      }
      const { status } = answer;
      const call: NotedCall = {
        endpoint: name,
        at,
        ms,
        ending: endingOf(status < 400 || status === 404),
        status,
        person,
      };
      calls.push(call);
      return { ...answer, judge: (isOfUse) => (call.ending = endingOf(isOfUse)) };
    };

  return {
    noted(endpoints) {
      const noted = { ...endpoints };
      for (const name of ENDPOINT_NAMES) noted[name] = note(name, endpoints[name]);
      return noted;
    },
    async close() {
      closing.abort();
      await writing;
      await write();
    },
  };
}

function endingOf(isOfUse: boolean): "answered" | "useless" {
  return isOfUse ? "answered" : "useless";
}

async function insertCalls(db: Database, calls: readonly NotedCall[]): Promise<void> {
  await sql`
    WITH forgotten AS (DELETE FROM upstream_calls WHERE called_at < now() - ${KEPT}),
      forgotten_asks AS (DELETE FROM price_asks WHERE asked_at < now() - ${KEPT})
    INSERT INTO upstream_calls (endpoint, called_at, duration_ms, ending, status, user_id)
    SELECT endpoint, at, ms, ending, status, person
    FROM jsonb_to_recordset(${JSON.stringify(calls)}::jsonb)
      AS call (endpoint text, at timestamptz, ms integer, ending text, status integer, person text)`.execute(db);
}
