import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { formatNumber, median, percentile } from "../numbers.ts";
import type { Section } from "../report.ts";
import { openStream, STREAMS_A_PERSON, type EventStream } from "../stage/event-streams.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import type { Visitor } from "../stage/visitor.ts";

const PEOPLE = 40;
const TABLES = 50;
const OFFICE_RATE = 200;
const OFFICE_S = 40;
const CARDS_A_SECOND = 50;
const OVERLOAD_S = 15;
/** How long the capacity is measured, with one request per person at a time. */
const CAPACITY_S = 5;
/** Connections of each person: enough to send without waiting for answers, and all together fewer than a network may have. */
const CONNECTIONS = 40;
/** The rows of each person's session. */
const ROWS = 200;
/** More than the run settles while it is watched. */
const RUN_ROWS = 10_000;

type Sent = { ms: number; status: number; hasRetryAfter: boolean };
type Period = { name: string; rate: number; sent: Sent[]; delays: number[]; cardsASecond: number };
type Reader = { visitor: Visitor; paths: readonly string[]; agent: Agent };

/** What people wait for under an office's load, and under twice the load that a node can carry. */
export async function measureLoad(stage: Stage): Promise<Section> {
  return stage.withNodes(
    [{ CARD_DELAY_MS: String(1_000 / CARDS_A_SECOND), LANE_CONCURRENCY: "psa=8" }],
    async (_, [node]) => {
      if (!node) throw new Error("No node was started");
      const owner = await node.visit();
      const readers: Reader[] = [];
      for (let index = 0; index < PEOPLE; index += 1) readers.push(await createReader(owner, index));
      for (const { paths } of readers) await owner.ask("POST", `${paths[1]}/stop`);
      const { id } = await owner.upload(makeSheet(RUN_ROWS, 50_000_000));
      const delays: number[] = [];
      const streams = await openTables(owner, id, (text) => delays.push(...delaysIn(text)));
      const countSettled = async (): Promise<number> =>
        scanSessionSchema.parse(await owner.ask("GET", `/api/scan-sessions/${id}`)).processedCards;
      const measure = async (name: string, rate: number, seconds: number): Promise<Period> => {
        delays.length = 0;
        const [before, startedAt] = [await countSettled(), performance.now()];
        const sent = await sendSteadily(readers, rate, seconds);
        const watched = [...delays];
        const cardsASecond = ((await countSettled()) - before) / ((performance.now() - startedAt) / 1_000);
        return { name, rate, sent, delays: watched, cardsASecond };
      };
      const calm = await measure("none", 0, OVERLOAD_S);
      const office = await measure("an office", OFFICE_RATE, OFFICE_S);
      const capacity = await measureCapacity(readers);
      const twice = Math.round(2 * capacity);
      const opening = await measure("twice the capacity, new connections", twice, OVERLOAD_S);
      const overload = await measure("twice the capacity, open connections", twice, OVERLOAD_S);
      for (const stream of streams) stream.close();
      for (const { agent } of readers) agent.destroy();
      return section([calm, office, opening, overload], capacity);
    },
  );
}

function section(periods: readonly Period[], capacity: number): Section {
  const line = ({ name, rate, sent, delays, cardsASecond }: Period): string[] => {
    const served = sent.filter(({ status }) => status === 200).map(({ ms }) => ms);
    const shed = sent.filter(({ status, hasRetryAfter }) => status === 503 && hasRetryAfter).map(({ ms }) => ms);
    const time = (values: readonly number[], percent: number): string =>
      values.length === 0 ? "" : `${formatNumber(percentile(values, percent))} ms`;
    return [
      name,
      String(rate),
      String(served.length),
      time(served, 50),
      time(served, 99),
      String(shed.length),
      time(shed, 100),
      String(sent.length - served.length - shed.length),
      delays.length === 0 ? "" : `${formatNumber(median(delays))} ms`,
      formatNumber(cardsASecond),
    ];
  };
  const [, office, , overload] = periods;
  const timesOf = (period: Period | undefined, status: number): number[] =>
    (period?.sent ?? []).filter((sent) => sent.status === status).map(({ ms }) => ms);
  const shed = timesOf(overload, 503);
  return {
    title: "Load",
    watched: {
      "ms of an office's slowest 1 % of requests": percentile(timesOf(office, 200), 99),
      ...(shed.length > 0 && { "ms until the slowest 503 under overload": Math.max(...shed) }),
    },
    about:
      `${PEOPLE} users list sessions, open one, page through its ${ROWS} rows, search, and load their profile, at a steady rate ` +
      `regardless of the answers, while ${TABLES} tables follow a run of ${CARDS_A_SECOND} cards a second. All share two cores. ` +
      `The capacity is what one request per person at a time reaches: ${formatNumber(capacity)} requests a second.`,
    head: [
      "load",
      "requests/s",
      "answered",
      "median",
      "p99",
      "503 with Retry-After",
      "longest of them",
      "errors",
      "progress, median",
      "cards/s",
    ],
    rows: periods.map(line),
    notes: [
      "Node accepts one new connection in each turn of its event loop, so hundreds that are opened at the same time wait for seconds. " +
        "Browsers and proxies keep theirs open.",
    ],
  };
}

async function createReader(owner: Visitor, index: number): Promise<Reader> {
  const visitor = await owner.hire(`reader${index}`, "user");
  const { id } = await visitor.upload(makeSheet(ROWS, 60_000_000 + index * ROWS));
  const session = `/api/scan-sessions/${id}`;
  const search = `/api/scan-results/search?q=${60_000_000 + index * ROWS}`;
  const paths = ["/api/profile", session, "/api/scan-sessions", `${session}/results?limit=100`, search];
  return { visitor, paths, agent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }) };
}

async function openTables(owner: Visitor, id: string, onEvent: (text: string) => void): Promise<EventStream[]> {
  const streams: EventStream[] = [];
  for (let person = 0; streams.length < TABLES; person += 1) {
    const viewer = await owner.hire(`viewer${person}`);
    while (streams.length < Math.min(TABLES, (person + 1) * STREAMS_A_PERSON))
      streams.push(await openStream(viewer, id, onEvent));
  }
  return streams;
}

function delaysIn(event: string): number[] {
  const now = Date.now();
  return [...event.matchAll(/"processedAt":"([^"]+)"/g)].map(([, at = ""]) => now - Date.parse(at));
}

/** Sends `rate` requests a second for some seconds, without waiting for answers. Returns them all. */
async function sendSteadily(readers: readonly Reader[], rate: number, seconds: number): Promise<Sent[]> {
  const sent: Promise<Sent>[] = [];
  const startedAt = performance.now();
  for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - startedAt) {
    while (sent.length < (rate * elapsed) / 1_000) sent.push(send(readers, sent.length));
    await pause(5);
  }
  return Promise.all(sent);
}

async function measureCapacity(readers: readonly Reader[]): Promise<number> {
  const startedAt = performance.now();
  const hasTime = (): boolean => performance.now() - startedAt < CAPACITY_S * 1_000;
  let count = 0;
  await Promise.all(
    readers.map(async (reader) => {
      for (let turn = 0; hasTime(); turn += 1) {
        const { status } = await send([reader], turn);
        if (status === 200) count += 1;
      }
    }),
  );
  return count / ((performance.now() - startedAt) / 1_000);
}

/** Sends the nth request. The status is 0 if the connection failed. */
function send(readers: readonly Reader[], n: number): Promise<Sent> {
  const reader = readers[n % readers.length];
  if (!reader) throw new Error("No reader was created");
  const { visitor, paths, agent } = reader;
  const path = paths[Math.floor(n / readers.length) % paths.length] ?? "";
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, hasRetryAfter: boolean): void =>
      resolve({ ms: performance.now() - startedAt, status, hasRetryAfter });
    const call = request(`${visitor.origin}${path}`, { agent, headers: visitor.headers }, (response) => {
      const { statusCode = 0, headers } = response;
      response.resume();
      response.once("end", () => end(statusCode, headers["retry-after"] !== undefined));
      response.once("error", () => end(0, false));
    });
    call.once("error", () => end(0, false));
    call.end();
  });
}
