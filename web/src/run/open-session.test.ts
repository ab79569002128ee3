import type { ResultsPage } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, NetworkError } from "../api/errors.ts";
import type { ScanStreamOptions } from "../api/scan-stream.ts";
import { OpenSession, shownSession, TRY_AGAIN_MS } from "./open-session.ts";
import { aRow } from "./row-factory.test-data.ts";
import { aSession } from "./session-factory.test-data.ts";

/** A server with one session of two rows. */
class Server {
  session = aSession({ eventSeq: 5, totalCards: 2 });
  failure: Error | null = null;
  calls: string[] = [];
  streams: ScanStreamOptions[] = [];

  getSession = (): Promise<ScanSession> => this.#answer("session", this.session);

  getPage = (): Promise<ResultsPage> => {
    const results = [aRow({ id: "1", line: 2 }), aRow({ id: "2", line: 3 })];
    return this.#answer("page", { results, nextCursor: null, eventSeq: this.session.eventSeq });
  };

  openStream = (options: ScanStreamOptions) => {
    this.streams.push(options);
    this.calls.push("stream");
    return { close: () => this.calls.push("close"), catchUp: () => this.calls.push("catchUp") };
  };

  #answer<T>(call: string, value: T): Promise<T> {
    this.calls.push(call);
    return this.failure === null ? Promise.resolve(value) : Promise.reject(this.failure);
  }
}

const PLACE = { known: null, firstRowId: null, isInView: true };
const GONE = new ApiError("There is no such session", { status: 404, code: "no_such_thing", requestId: null });

let server: Server;
let open: OpenSession;
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server();
  open = new OpenSession("session-1", server);
});
afterEach(() => {
  vi.useRealTimers();
});

test("two places share one load and one stream, and the last to leave closes it", async () => {
  const scanner = open.join(PLACE);
  const dashboard = open.join(PLACE);
  await settled();
  expect(open.getSnapshot()).toEqual({ session: server.session, loading: { kind: "ready" } });
  expect(open.rows.getSnapshot().map(({ id }) => id)).toEqual(["1", "2"]);
  expect(server.calls).toEqual(["session", "page", "stream", "session"]);
  expect(shownSession("session-1")).toBe(open);

  scanner.leave();
  expect(server.calls).not.toContain("close");
  dashboard.leave();
  expect(server.calls.at(-1)).toBe("close");
  expect(open.rows.getSnapshot()).toEqual([]);
  expect(shownSession("session-1")).toBeUndefined();
});

test("a loaded session is shown at once", async () => {
  const known = aSession({ eventSeq: 5, totalCards: 2 });
  const place = open.join({ ...PLACE, known });
  expect(open.getSnapshot()).toMatchObject({ session: known, loading: { kind: "loading" } });
  await settled();
  expect(server.calls[0]).toBe("page");
  place.leave();
});

test("has no stream while all its places are hidden, and continues where it was", async () => {
  const scanner = open.join(PLACE);
  const dashboard = open.join({ ...PLACE, isInView: false });
  await settled();
  scanner.setInView(false);
  expect(server.calls.at(-1)).toBe("close");
  dashboard.setInView(true);
  expect(server.streams.map(({ since }) => since)).toEqual([5, 5]);
  scanner.leave();
  expect(server.calls.filter((call) => call === "close")).toHaveLength(1);
  dashboard.leave();
});

test("an action's result is shown and its rows are fetched; a late result replaces nothing", async () => {
  const place = open.join(PLACE);
  await settled();
  const resumed = aSession({ eventSeq: 8, totalCards: 2 });
  open.apply(resumed);
  expect(open.getSnapshot().session).toBe(resumed);
  expect(server.calls.at(-1)).toBe("catchUp");
  open.apply(aSession({ eventSeq: 7, totalCards: 2 }));
  expect(open.getSnapshot().session).toBe(resumed);
  place.leave();
});

test("retries an unreachable server until it answers", async () => {
  server.failure = new NetworkError("no response");
  const place = open.join(PLACE);
  await settled();
  expect(open.getSnapshot()).toMatchObject({ session: null, loading: { kind: "failed" } });
  server.failure = null;
  await vi.advanceTimersByTimeAsync(TRY_AGAIN_MS);
  expect(open.getSnapshot()).toMatchObject({ loading: { kind: "ready" } });
  place.leave();
});

test("a deleted session loses its rows and stays known by name", async () => {
  const place = open.join(PLACE);
  await settled();
  server.streams[0]?.onGone?.(GONE);
  expect(open.getSnapshot()).toMatchObject({ session: server.session, loading: { kind: "gone" } });
  expect(open.rows.getSnapshot()).toEqual([]);
  place.leave();
});

test("a session that does not exist is not requested again", async () => {
  server.failure = GONE;
  const place = open.join(PLACE);
  await vi.advanceTimersByTimeAsync(2 * TRY_AGAIN_MS);
  expect(open.getSnapshot()).toMatchObject({ session: null, loading: { kind: "gone" } });
  expect(server.calls).toEqual(["session"]);
  place.leave();
});

test("nothing arrives after the last place has left", async () => {
  const place = open.join(PLACE);
  place.leave();
  await settled();
  expect(server.calls).toEqual(["session"]);
  expect(open.getSnapshot().session).toBeNull();
});
