import { startSimulator, type Simulator, type SimulatorOptions } from "@slabdesk/simulator/simulator.ts";
import type { Call } from "@slabdesk/simulator/endpoints/call-log.ts";
import { resultsPageSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import {
  scanEventSchema,
  scanSessionSchema,
  type NewScanSession,
  type ScanEvent,
  type ScanSession,
} from "@slabdesk/contract/api/sessions.ts";
import type { Intervals } from "../intervals.ts";
import { UNUSED } from "../upstreams/breaker-rules.ts";
import { startTestServer, type Person, type TestServer } from "./test-server.ts";

/** The whole server with a simulator of the graders. */
export type ScanTest = TestServer & { simulator: Simulator; closeAll(): Promise<void> };

export async function startScanTest(
  settings: Record<string, string> = {},
  options: SimulatorOptions = {},
  intervals: Partial<Intervals> = {},
): Promise<ScanTest> {
  const simulator = await startSimulator({ hasPlainImages: true, ...options });
  const server = await startTestServer({ ...simulator.settings, ...settings }, intervals);
  return {
    ...server,
    simulator,
    async closeAll() {
      await server.close();
      await simulator.close();
    },
  };
}

/** Whether a call fetched an image, which happens at any time after a lookup. */
export function isForImageFile({ endpoint, method }: Pick<Call, "endpoint" | "method">): boolean {
  return endpoint.endsWith("-images") && method === "GET";
}

/** Ends every pause and resets every counter. */
export async function openEndpoints(test: ScanTest): Promise<void> {
  await test.db.updateTable("endpoints").set(UNUSED).execute();
}

type SheetLine = readonly [certNumber: string, gradingCompany: string, price?: string, notes?: string];

/** A sheet of four columns as the browser sends it. */
export function sheetOf(lines: readonly SheetLine[], options: Partial<NewScanSession> = {}): NewScanSession {
  return {
    csvFilename: "box.csv",
    header: ["CertNumber", "GradingCompany", "Price", "Notes"],
    rows: lines.map(([certNumber, gradingCompany, price = "", notes = ""], index) => ({
      line: index + 2,
      cells: [certNumber, gradingCompany, price, notes],
      certNumber,
      gradingCompany,
      price,
      notes,
    })),
    ...options,
  };
}

export async function startScan(
  test: ScanTest,
  person: Person,
  sheet: NewScanSession,
  headers: Record<string, string> = {},
): Promise<ScanSession> {
  const answer = await test.app.inject({
    method: "POST",
    url: "/api/scan-sessions",
    headers: { ...person.headers, ...headers },
    payload: sheet,
  });
  if (answer.statusCode >= 300) throw new Error(`The sheet was refused: ${answer.body}`);
  return scanSessionSchema.parse(answer.json());
}

/** Follows a session's stream from `since` until `isEnough`; returns its events. */
export async function followUntil(
  test: ScanTest,
  person: Person,
  sessionId: string,
  isEnough: (event: ScanEvent) => boolean,
  since = 0,
): Promise<ScanEvent[]> {
  const address = await test.address();
  const leaving = new AbortController();
  const response = await fetch(`${address}/api/scan-sessions/${sessionId}/events`, {
    headers: { ...person.headers, "last-event-id": String(since) },
    signal: leaving.signal,
  });
  if (!response.ok || !response.body) throw new Error(`The stream was refused: ${response.status}`);
  const events: ScanEvent[] = [];
  let text = "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const data of blocks.flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? []))
      events.push(scanEventSchema.parse(JSON.parse(data)));
    if (events.some(isEnough)) break;
  }
  leaving.abort();
  return events;
}

export async function finish(test: ScanTest, person: Person, session: ScanSession): Promise<ResultRow[]> {
  await followUntil(test, person, session.id, (event) => event.session.status !== "processing");
  return rowsOf(test, person, session.id);
}

/** Runs a sheet to its end; returns the rows in the sheet's order. */
export async function runSheet(test: ScanTest, person: Person, sheet: NewScanSession): Promise<ResultRow[]> {
  return finish(test, person, await startScan(test, person, sheet));
}

export async function rowsOf(test: ScanTest, person: Person, sessionId: string): Promise<ResultRow[]> {
  const answer = await test.app.inject({
    url: `/api/scan-sessions/${sessionId}/results?limit=5000`,
    headers: person.headers,
  });
  return resultsPageSchema.parse(answer.json()).results;
}

export async function sessionOf(test: ScanTest, person: Person, sessionId: string): Promise<ScanSession> {
  const answer = await test.app.inject({ url: `/api/scan-sessions/${sessionId}`, headers: person.headers });
  return scanSessionSchema.parse(answer.json());
}
