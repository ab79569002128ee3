import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, NetworkError } from "../../../api/errors.ts";
import { aSession } from "../../../run/session-factory.test-data.ts";
import type { Ledger, Scan } from "./ledger.ts";
import { TRY_AGAIN_MS } from "../../../run/open-session.ts";
import { Station, type StationEvents, type StationServer } from "./station.ts";
import type { StoredLedger } from "./stored-ledger.ts";
import { TONES } from "./use-station.ts";

/** A server with sessions as in the contract: one per key, each line once. Requests are answered on demand. */
class Server implements StationServer {
  readonly sessions = new Map<string, { key: string; lines: Map<number, string> }>();
  /** The requests, in order. */
  readonly requests: string[] = [];
  /** Makes requests fail: before they take effect, or after, with the answer lost. */
  trouble: { error: Error; isAfter: boolean } | null = null;
  /** Makes requests wait. */
  gate: Promise<void> = Promise.resolve();

  async open(scan: Scan, { key }: Ledger): Promise<ScanSession> {
    return this.#serve(`open ${scan.certNumber}`, () => {
      const known = [...this.sessions].find(([, session]) => session.key === key)?.[0];
      const id = known ?? `s${this.sessions.size + 1}`;
      if (known === undefined) this.sessions.set(id, { key, lines: new Map([[scan.line, scan.certNumber]]) });
      return aSession({ id });
    });
  }

  async add(id: string, scans: readonly Scan[]): Promise<ScanSession> {
    return this.#serve(`add ${scans.map(({ certNumber }) => certNumber).join(" ")}`, () => {
      const session = this.sessions.get(id);
      if (!session) throw new ApiError("gone", { status: 404, code: "no_such_thing", requestId: null });
      for (const { line, certNumber } of scans) if (!session.lines.has(line)) session.lines.set(line, certNumber);
      return aSession({ id });
    });
  }

  async remove(id: string, line: number): Promise<ScanSession | null> {
    return this.#serve(`remove ${line}`, () => (this.sessions.get(id)?.lines.delete(line) ? aSession({ id }) : null));
  }

  /** The numbers of the only session. */
  numbers(): string[] {
    return [...this.sessions.values()].flatMap(({ lines }) => [...lines.values()]);
  }

  async #serve<Answer>(request: string, work: () => Answer): Promise<Answer> {
    await this.gate;
    this.requests.push(request);
    if (this.trouble && !this.trouble.isAfter) throw this.trouble.error;
    const answer = work();
    if (this.trouble) throw this.trouble.error;
    return answer;
  }
}

class LookupHistory implements StoredLedger {
  text: string | null = null;
  #listener: ((ledger: Ledger | null) => void) | null = null;

  load = (): Ledger | null => (this.text === null ? null : (JSON.parse(this.text) as Ledger));
  save = (ledger: Ledger): boolean => {
    this.text = JSON.stringify(ledger);
    return true;
  };
  onWrittenElsewhere = (listener: (ledger: Ledger | null) => void): (() => void) => {
    this.#listener = listener;
    return () => {
      this.#listener = null;
    };
  };
  writeElsewhere(change: Partial<Ledger>): void {
    const ledger = this.load();
    if (ledger) this.save({ ...ledger, ...change });
    this.#listener?.(this.load());
  }
}

const NUMBERS = ["98174651", "98174652", "98174653", "98174654"] as const;
const [FIRST, SECOND, THIRD] = NUMBERS;

let server: Server;
let remembered: LookupHistory;
let heard: string[];
let today: Date;
const events: StationEvents = {
  onSession: ({ id }) => heard.push(`session ${id}`),
  onGone: ({ id }) => heard.push(`gone ${id}`),
  onGivenAway: () => heard.push("given away"),
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", new EventTarget());
  server = new Server();
  remembered = new LookupHistory();
  heard = [];
  today = new Date("2026-11-21T10:00:00");
});
afterEach(() => {
  vi.useRealTimers();
});

function openStation(owner = "tab"): Station {
  const station = new Station({ server, remembered, owner, now: () => today });
  station.run(events);
  return station;
}
const scan = (station: Station, text: string) => station.scan(text, "auto", { mode: "api", includePricing: true });
/** Finishes everything under way; no timers start. */
const settle = () => vi.advanceTimersByTimeAsync(0);
const AWAY = new NetworkError("no answer");

test("the first scan creates a session named after the station, the others are added in order", async () => {
  const station = openStation();
  expect(scan(station, FIRST)).toMatchObject({ kind: "ok", number: 1, scan: { line: 2, company: "PSA" } });
  await settle();
  scan(station, SECOND);
  await settle();
  expect(server.requests).toEqual([`open ${FIRST}`, `add ${SECOND}`]);
  expect(heard).toEqual(["session s1", "session s1"]);
  expect(station.getSnapshot()).toMatchObject({
    link: { kind: "idle" },
    ledger: { sessionId: "s1", sessionName: "Scan station - Nov 21, 2026", mode: "api", includePricing: true },
  });
});

test("scans during a request are sent together with the next one", async () => {
  const station = openStation();
  const gate = Promise.withResolvers<undefined>();
  server.gate = gate.promise;
  for (const number of NUMBERS) scan(station, number);
  await settle();
  gate.resolve(undefined);
  await settle();
  expect(server.requests).toEqual([`open ${FIRST}`, `add ${NUMBERS.slice(1).join(" ")}`]);
  expect(server.numbers()).toEqual([...NUMBERS]);
});

test("a certificate is accepted once, also as a link and while it waits; an unreadable one never", async () => {
  const station = openStation();
  server.trouble = { error: AWAY, isAfter: false };
  scan(station, FIRST);
  scan(station, SECOND);
  expect(scan(station, `https://www.psacard.com/cert/${FIRST}/`)).toEqual({
    kind: "duplicate",
    scan: { company: "PSA", certNumber: FIRST },
    number: 1,
  });
  expect(scan(station, "1.45531E+08")).toMatchObject({ kind: "unreadable", text: "1.45531E+08" });
  server.trouble = null;
  await vi.advanceTimersByTimeAsync(TRY_AGAIN_MS);
  expect(server.numbers()).toEqual([FIRST, SECOND]);
});

test("while the server is offline scans wait, also across a reload, and none is lost or sent twice", async () => {
  const before = new Station({ server, remembered, owner: "tab", now: () => today });
  const stop = before.run(events);
  server.trouble = { error: AWAY, isAfter: false };
  for (const number of NUMBERS.slice(0, 3)) scan(before, number);
  await settle();
  expect(before.getSnapshot().link).toEqual({ kind: "away" });
  stop();

  const after = openStation();
  await settle();
  expect(after.getSnapshot().ledger.scans.map(({ certNumber }) => certNumber)).toEqual([FIRST, SECOND, THIRD]);
  expect(after.getSnapshot().link).toEqual({ kind: "away" });
  server.trouble = null;
  await vi.advanceTimersByTimeAsync(TRY_AGAIN_MS);
  expect(server.numbers()).toEqual([FIRST, SECOND, THIRD]);
  expect(server.sessions.size).toBe(1);
});

test("a lost answer creates no second session and no second row", async () => {
  const station = openStation();
  server.trouble = { error: AWAY, isAfter: true };
  scan(station, FIRST);
  await settle();
  scan(station, SECOND);
  await vi.advanceTimersByTimeAsync(TRY_AGAIN_MS);
  server.trouble = null;
  await vi.advanceTimersByTimeAsync(TRY_AGAIN_MS);
  server.trouble = { error: AWAY, isAfter: true };
  scan(station, THIRD);
  await settle();
  server.trouble = null;
  await vi.advanceTimersByTimeAsync(TRY_AGAIN_MS);
  expect(server.sessions.size).toBe(1);
  expect(server.numbers()).toEqual([FIRST, SECOND, THIRD]);
});

test("undo removes the last scan from the session; it can be scanned again, on a new line", async () => {
  const station = openStation();
  scan(station, FIRST);
  scan(station, SECOND);
  await settle();
  expect(station.undo()).toMatchObject({ kind: "undone", number: 2, scan: { certNumber: SECOND } });
  await settle();
  expect(server.numbers()).toEqual([FIRST]);
  expect([server.requests.at(-1), heard.at(-1)]).toEqual(["remove 3", "session s1"]);
  expect(scan(station, SECOND)).toMatchObject({ kind: "ok", number: 2, scan: { line: 4 } });
  await settle();
  expect(server.numbers()).toEqual([FIRST, SECOND]);
});

test("undo of an unsent scan makes no request", async () => {
  const station = openStation();
  scan(station, FIRST);
  await settle();
  const gate = Promise.withResolvers<undefined>();
  server.gate = gate.promise;
  scan(station, SECOND);
  await settle();
  scan(station, THIRD);
  station.undo();
  gate.resolve(undefined);
  await settle();
  expect(server.requests).toEqual([`open ${FIRST}`, `add ${SECOND}`]);
});

test("undo of a scan whose answer was lost removes the row that had arrived, also the first one", async () => {
  const station = openStation();
  server.trouble = { error: AWAY, isAfter: true };
  scan(station, FIRST);
  await settle();
  station.undo();
  scan(station, SECOND);
  server.trouble = null;
  await vi.advanceTimersByTimeAsync(TRY_AGAIN_MS);
  expect(server.numbers()).toEqual([SECOND]);
  expect(server.sessions.size).toBe(1);
  expect(station.getSnapshot().ledger.leaving).toEqual([]);
});

test("without a scan there is nothing to undo", () => {
  expect(openStation().undo()).toBeNull();
});

test("after its session is deleted, unsent scans create another one", async () => {
  const station = openStation();
  scan(station, FIRST);
  await settle();
  server.sessions.delete("s1");
  scan(station, SECOND);
  scan(station, THIRD);
  await settle();
  expect(server.numbers()).toEqual([SECOND, THIRD]);
  expect(station.getSnapshot().ledger.scans).toHaveLength(2);
  expect(heard.filter((message) => message.startsWith("gone"))).toEqual(["gone s1"]);
});

test("a session deleted elsewhere is reported once and left", async () => {
  const station = openStation();
  scan(station, FIRST);
  await settle();
  server.sessions.delete("s1");
  station.forgetSession();
  station.forgetSession();
  await settle();
  expect(heard.filter((message) => message.startsWith("gone"))).toEqual(["gone s1"]);
  expect(station.getSnapshot().ledger).toMatchObject({ sessionId: null, scans: [] });
  scan(station, FIRST);
  await settle();
  expect(server.numbers()).toEqual([FIRST]);
});

test.each([
  ["the start of a session", []],
  ["an added scan", [FIRST]],
])("a refusal of %s stays until it is retried, and loses no scan", async (_name, before) => {
  const station = openStation();
  for (const one of before) scan(station, one);
  await settle();
  const message = "Authentication error. Please refresh and login again.";
  server.trouble = {
    error: new ApiError(message, { status: 409, code: "conflict", requestId: null }),
    isAfter: false,
  };
  scan(station, SECOND);
  await settle();
  expect(station.getSnapshot().link).toEqual({ kind: "refused", problem: message });
  server.trouble = null;
  station.retry();
  await settle();
  expect(server.numbers()).toEqual([...before, SECOND]);
});

test("another tab that scans takes over the station with the waiting scans", async () => {
  const station = openStation("one");
  server.trouble = { error: AWAY, isAfter: false };
  scan(station, FIRST);
  await settle();
  remembered.writeElsewhere({ owner: "two" });
  expect(heard).toEqual(["given away"]);
  server.trouble = null;
  await vi.advanceTimersByTimeAsync(TRY_AGAIN_MS);
  expect(server.numbers()).toEqual([]);

  const other = openStation("two");
  await settle();
  expect(other.getSnapshot().isMine).toBe(true);
  expect(server.numbers()).toEqual([FIRST]);
});

test("a tab that only watches leaves the waiting scans alone until it takes over", async () => {
  const before = openStation("one");
  server.trouble = { error: AWAY, isAfter: false };
  scan(before, FIRST);
  await settle();
  server.trouble = null;
  const station = openStation("two");
  await settle();
  expect(station.getSnapshot().isMine).toBe(false);
  expect(server.numbers()).toEqual([]);
  station.takeOver();
  await settle();
  expect(server.numbers()).toEqual([FIRST]);
});

test("the next day starts a new session, but not while scans of the previous one wait", async () => {
  const station = openStation();
  scan(station, FIRST);
  await settle();
  station.takeOver();
  expect(station.getSnapshot().ledger.sessionId).toBe("s1");
  server.trouble = { error: AWAY, isAfter: false };
  scan(station, SECOND);
  await settle();
  today = new Date("2026-11-22T09:00:00");
  station.takeOver();
  expect(station.getSnapshot().ledger.scans).toHaveLength(2);
  server.trouble = null;
  await vi.advanceTimersByTimeAsync(TRY_AGAIN_MS);
  station.takeOver();
  expect(station.getSnapshot().ledger).toMatchObject({ sessionId: null, scans: [] });
  scan(station, FIRST);
  expect(station.getSnapshot().ledger.sessionName).toBe("Scan station - Nov 22, 2026");
});

test("each verdict has its own tone", () => {
  const tones = Object.values(TONES).map((tone) => JSON.stringify(tone));
  expect(new Set(tones).size).toBe(tones.length);
});
