import { setTimeout as pause } from "node:timers/promises";
import { resultsPageSchema } from "@slabdesk/contract/api/results.ts";
import { formatNumber, percentile, ratio } from "../numbers.ts";
import type { Section } from "../report.ts";
import { startChild } from "../stage/child.ts";
import type { ServerNode } from "../stage/node.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import type { Visitor } from "../stage/visitor.ts";
import { cacheCerts } from "./cached-certs.ts";

const COLLEAGUES = 8;
const HOSTILE = 2;
const MEASURED_S = 60;
/** Kinds of attacks of bench/stage/attack.ts: expensive or incomplete uploads, exports, and a flood of log entries. */
const UPLOADS_AND_EXPORTS = [
  "wide sheets",
  "long sheets",
  "sheets of blanks",
  "photos",
  "bodies that stop arriving",
  "exports",
  "log entries",
];
const REQUESTS = ["large pages", "event streams", "small requests", "small sheets"];
/** The attacks to measure, with their kinds. */
const ATTACKS: [name: string, kinds: string[]][] = [
  ["uploads, exports, and log entries at once", UPLOADS_AND_EXPORTS],
  ["all at once", [...UPLOADS_AND_EXPORTS, ...REQUESTS]],
];
/** After it, the attackers have used up the bursts that everybody may use. */
const WARM_UP_S = 40;
const REST_S = 5;
/** A person's mean pause between two requests. It varies by half, or else all people would send the same at once. */
const PAUSE_MS = 250;
const HEALTH_PAUSE_MS = 50;
const OWN_ROWS = 200;
const HOSTILE_ROWS = 5_000;

type Colleague = { visitor: Visitor; sessionId: string; index: number };
type Attacker = { visitor: Visitor; sessionId: string; rowId: string };
type Measured = { times: number[]; health: number[]; errors: number };

/** What two people who attack the server with all they may do cost the others. */
export async function measureHostilePeople(stage: Stage): Promise<Section> {
  return stage.withNodes([{ ROLE: "web" }], async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    const owner = await node.visit();
    await cacheCerts(database, (await owner.upload(makeSheet(HOSTILE_ROWS))).id);
    const colleagues: Colleague[] = [];
    for (let index = 0; index < COLLEAGUES; index += 1) {
      const visitor = await owner.hire(`colleague${index}`, "user");
      const { id } = await visitor.upload(makeSheet(OWN_ROWS));
      colleagues.push({ visitor, sessionId: id, index });
    }
    const hostile: Attacker[] = [];
    for (let index = 0; index < HOSTILE; index += 1) {
      const visitor = await owner.hire(`hostile${index}`, "user");
      const { id: sessionId } = await visitor.upload(makeSheet(HOSTILE_ROWS));
      const page = await visitor.ask("GET", `/api/scan-sessions/${sessionId}/results?limit=1`);
      hostile.push({ visitor, sessionId, rowId: resultsPageSchema.parse(page).results[0]?.id ?? "" });
    }
    const measured = new Map([["none", await work(node, colleagues)]]);
    for (const [name, kinds] of ATTACKS) {
      const attacks = await Promise.all(hostile.map((attacker) => attack(node, attacker, kinds)));
      await pause(WARM_UP_S * 1000);
      measured.set(name, await work(node, colleagues));
      await Promise.all(attacks.map((running) => running.stop()));
      await pause(REST_S * 1000);
      await work(node, colleagues, measured.get("none"));
    }
    return section(measured);
  });
}

function attack({ origin }: ServerNode, { visitor, sessionId, rowId }: Attacker, kinds: readonly string[]) {
  return startChild("bench/stage/attack.ts", {
    env: {
      ORIGIN: origin,
      AUTHORIZATION: visitor.headers["authorization"] ?? "",
      SESSION_ID: sessionId,
      ROW_ID: rowId,
      KINDS: kinds.join(),
    },
    ready: /attacking/,
  });
}

/** Everyday work of all colleagues at once: lists, pages, plans, and small uploads. Adds its times to `measured`. */
async function work(
  { origin }: ServerNode,
  colleagues: readonly Colleague[],
  measured: Measured = { times: [], health: [], errors: 0 },
): Promise<Measured> {
  const until = performance.now() + MEASURED_S * 1000;
  const person = async ({ visitor, sessionId, index }: Colleague): Promise<void> => {
    for (let turn = 0; performance.now() < until; turn += 1) {
      const startedAt = performance.now();
      const sheet = makeSheet(20, 40_000_000 + index * 1_000_000 + turn * 20);
      const asked = [
        () => visitor.ask("GET", "/api/scan-sessions"),
        () => visitor.ask("GET", `/api/scan-sessions/${sessionId}/results?limit=100`),
        () => visitor.ask("POST", "/api/scan-plans", { rows: sheet.rows }),
        () => visitor.ask("GET", `/api/scan-results/search?q=${30_000_000 + turn}`),
        () => visitor.upload(sheet),
      ][(turn + index) % 5];
      await asked?.().catch(() => (measured.errors += 1));
      measured.times.push(performance.now() - startedAt);
      await pause(PAUSE_MS * (0.5 + Math.random()));
    }
  };
  const monitor = async (): Promise<void> => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      await (await fetch(`${origin}/healthz`)).arrayBuffer();
      measured.health.push(performance.now() - startedAt);
      await pause(HEALTH_PAUSE_MS);
    }
  };
  await Promise.all([...colleagues.map(person), monitor()]);
  return measured;
}

function section(measured: ReadonlyMap<string, Measured>): Section {
  const calm = measured.get("none")?.times ?? [];
  const line = ([name, { times, health, errors }]: [string, Measured]): string[] => {
    const [p50, p99] = [percentile(times, 50), percentile(times, 99)];
    return [
      name,
      String(times.length),
      `${formatNumber(p50)} ms`,
      ratio(p50, percentile(calm, 50)),
      `${formatNumber(p99)} ms`,
      ratio(p99, percentile(calm, 99)),
      `${formatNumber(Math.max(...health))} ms`,
      String(errors),
    ];
  };
  return {
    title: "Hostile people",
    about:
      `${COLLEAGUES} users list sessions, page through rows, search, plan, and upload small sheets for ${MEASURED_S} s, each with pauses of ` +
      `${PAUSE_MS} ms on average between requests. Meanwhile, ${HOSTILE} other users each send expensive sheets and photos, bodies that stop arriving, ` +
      `exports, and log entries, and in the second attack also large pages of rows, 30 event streams, pages, searches, and small sheets, as many at once as the server accepts: without a pause, over 100 Mbit/s each, from processes that get only the idle time of the processor. Each attack has run for ${WARM_UP_S} s before. “None” was measured before and after each.`,
    head: ["attack", "requests", "median", "against none", "p99", "against none", "longest /healthz", "errors"],
    rows: [...measured].map(line),
    notes: [
      "The attackers' own processes, the processes that read their sheets and decode their photos, and PostgreSQL share two cores with the colleagues' requests.",
    ],
  };
}
