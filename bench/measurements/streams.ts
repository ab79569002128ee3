import { setTimeout as pause } from "node:timers/promises";
import { formatNumber, kilobytes, median, percentile, ratio } from "../numbers.ts";
import type { Section } from "../report.ts";
import { openStream, STREAMS_A_PERSON, type EventStream } from "../stage/event-streams.ts";
import type { ServerNode } from "../stage/node.ts";
import { between, idleWork, type BenchDatabase } from "../stage/postgres.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import type { Visitor } from "../stage/visitor.ts";
import { runToEnd } from "./run-to-end.ts";

const LEVELS = [1, 100, 500];
const MOST = 500;
const CARD_DELAY_MS = 500;
const WATCH_S = 8;
const IDLE_S = 10;
/** How many streams open at a time, so that the request limit doesn't apply. */
const OPENED_AT_ONCE = 20;

type Level = { streams: number; delays: number[]; bytes: number[]; statements: number };
type Idle = { bytesAStream: number; statementsAStream: number };

/** The cost of progress for open browsers, during a run and while idle. */
export async function measureStreams(stage: Stage): Promise<Section> {
  const levels = await withPeople(stage, async ({ database, people, visitor }) => {
    const { id } = await visitor.upload(makeSheet(1_000));
    const watched: Level[] = [];
    for (const streams of LEVELS) watched.push(await watch(database, people, id, streams));
    await visitor.ask("POST", `/api/scan-sessions/${id}/stop`);
    return watched;
  });
  return section(levels, await withPeople(stage, measureIdle));
}

type Crowd = { database: BenchDatabase; node: ServerNode; visitor: Visitor; people: Visitor[] };

/** A separate node, with enough users for all streams. */
async function withPeople<T>(stage: Stage, work: (crowd: Crowd) => Promise<T>): Promise<T> {
  return stage.withNodes([{ CARD_DELAY_MS: String(CARD_DELAY_MS) }], async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    const visitor = await node.visit();
    const people: Visitor[] = [];
    for (let index = 0; index < Math.ceil(MOST / STREAMS_A_PERSON); index += 1)
      people.push(await visitor.hire(`person${index}`));
    return work({ database, node, visitor, people });
  });
}

function section(levels: readonly Level[], idle: Idle): Section {
  const [alone] = levels;
  const bytes = median(levels.flatMap((level) => level.bytes));
  return {
    title: "Progress to the browsers",
    watched: { "ms until 500 open tables show a card": median(levels.at(-1)?.delays ?? []) },
    about:
      `All streams follow one run of two cards a second for ${WATCH_S} s: the time from settling a row to its ` +
      "arrival in the browser. A session's changes are sent at most every 200 ms, which is most of a single stream's delay.",
    head: ["open streams", "median", "against 1", "p95", "statements/s per stream"],
    rows: levels.map(({ streams, delays, statements }) => [
      String(streams),
      `${formatNumber(median(delays))} ms`,
      ratio(median(delays), median(alone?.delays ?? delays)),
      `${formatNumber(percentile(delays, 95))} ms`,
      formatNumber(statements / streams),
    ]),
    notes: [
      `A progress event is ${formatNumber(bytes)} bytes (median, uncompressed). The run's own statements are included, which matters only in the first line.`,
      `An idle stream costs about ${kilobytes(idle.bytesAStream)} of the server's memory (measured with ${MOST}) and ` +
        `${formatNumber(Math.max(0, idle.statementsAStream))} statements/s: the server reads a session every 10 s for all its streams, and checks each viewer once a minute.`,
    ],
  };
}

async function watch(database: BenchDatabase, people: readonly Visitor[], id: string, count: number): Promise<Level> {
  const delays: number[] = [];
  const bytes: number[] = [];
  let watchedFrom = Infinity;
  const streams = await openStreams(people, id, count, (text) => {
    const now = Date.now();
    const settled = [...text.matchAll(/"processedAt":"([^"]+)"/g)].map(([, at = ""]) => Date.parse(at));
    const fresh = settled.filter((at) => at > watchedFrom);
    delays.push(...fresh.map((at) => now - at));
    if (fresh.length > 0) bytes.push(Buffer.byteLength(text));
  });
  watchedFrom = Date.now();
  const before = await database.work();
  await pause(WATCH_S * 1000);
  const { statements } = between(before, await database.work());
  for (const stream of streams) stream.close();
  if (delays.length < count) throw new Error("Some streams were told nothing");
  return { streams: count, delays, bytes, statements: statements / WATCH_S };
}

/** On a node that has had no stream, and on a session that has ended. */
async function measureIdle({ database, node, visitor, people }: Crowd): Promise<Idle> {
  const { id } = await visitor.upload(makeSheet(1));
  await runToEnd(database, id);
  const nobody = await idleWork(database, IDLE_S);
  const before = await node.memory();
  const streams = await openStreams(people, id, MOST, () => {});
  const watched = await idleWork(database, IDLE_S);
  const after = await node.memory();
  for (const stream of streams) stream.close();
  return {
    bytesAStream: Math.max(0, after - before) / MOST,
    statementsAStream: (watched.statements - nobody.statements) / MOST,
  };
}

async function openStreams(
  people: readonly Visitor[],
  id: string,
  count: number,
  onEvent: (text: string) => void,
): Promise<EventStream[]> {
  const streams: EventStream[] = [];
  while (streams.length < count) {
    const batch = Array.from({ length: Math.min(OPENED_AT_ONCE, count - streams.length) }, (_, index) => {
      const person = people[(streams.length + index) % people.length];
      if (!person) throw new Error("There is nobody to open a stream");
      return openStream(person, id, onEvent);
    });
    streams.push(...(await Promise.all(batch)));
  }
  return streams;
}
