import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { parseCsv } from "@slabdesk/contract/sheet/csv.ts";
import type { NewScanSession } from "@slabdesk/contract/api/sessions.ts";

/*
 * The server as a script sees it. The schemas contain only what the tests check, and are separate from the contract's,
 * so that a field missing there is noticed here.
 */

const sessionSchema = z.object({
  id: z.string(),
  status: z.enum(["processing", "completed", "failed"]),
  totalCards: z.number(),
  processedCards: z.number(),
  counts: z.record(z.string(), z.number()),
  causes: z.record(z.string(), z.number()),
  eventSeq: z.number(),
});
export type SessionSeen = z.infer<typeof sessionSchema>;

const rowSchema = z.looseObject({
  id: z.string(),
  line: z.number(),
  status: z.string(),
  outcome: z.string().nullable(),
  certNumber: z.string(),
  gradingCompany: z.string(),
  processedAt: z.string().nullable(),
});
/** Keeps unknown fields, too: two snapshots of a settled row must match in all fields. */
export type RowSeen = z.infer<typeof rowSchema>;

const rowsSchema = z.object({ results: z.array(rowSchema), nextCursor: z.string().nullable() });
const eventSchema = z.object({ session: sessionSchema, results: z.array(rowSchema) });
export type EventSeen = z.infer<typeof eventSchema>;
const signInSchema = z.object({ token: z.string(), user: z.object({ id: z.string() }) });

const ADMIN = { email: "owner@slabdesk.test", password: "correct horse battery" };
export const ADMIN_SETTINGS = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };

/** A signed-in user. The token survives restarts, so each call takes the URL. */
export type SurvivalClient = {
  userId: string;
  upload(origin: string, sheet: NewScanSession, idempotencyKey: string): Promise<{ status: number; id: string }>;
  session(origin: string, id: string): Promise<SessionSeen>;
  rows(origin: string, id: string): Promise<RowSeen[]>;
  /** The lines of the session's file, header first. */
  exportLines(origin: string, id: string, format: "csv" | "original"): Promise<string[][]>;
  /** Follows the session's event stream from the beginning until the signal aborts. */
  follow(origin: string, id: string, signal: AbortSignal): AsyncGenerator<EventSeen>;
};

export async function signIn(origin: string): Promise<SurvivalClient> {
  const answer = await send(`${origin}/api/auth/sign-in/email`, {}, ADMIN);
  const { token, user } = signInSchema.parse(await answer.json());
  const headers = { authorization: `Bearer ${token}` };
  return {
    userId: user.id,
    async upload(at, sheet, idempotencyKey) {
      const stored = await send(`${at}/api/scan-sessions`, { ...headers, "idempotency-key": idempotencyKey }, sheet);
      return { status: stored.status, id: sessionSchema.parse(await stored.json()).id };
    },
    session: async (at, id) => sessionSchema.parse(await (await send(`${at}/api/scan-sessions/${id}`, headers)).json()),
    async rows(at, id) {
      const page = await send(`${at}/api/scan-sessions/${id}/results?limit=5000`, headers);
      const { results, nextCursor } = rowsSchema.parse(await page.json());
      if (nextCursor !== null) throw new Error("The session has more rows than one page holds");
      return results;
    },
    async exportLines(at, id, format) {
      const file = await send(`${at}/api/scan-sessions/${id}/export?format=${format}`, headers);
      const reading = parseCsv(await file.text());
      if (!reading.ok) throw new Error(reading.message);
      return reading.lines;
    },
    follow: (at, id, signal) => follow(`${at}/api/scan-sessions/${id}/events`, headers, signal),
  };
}

/** Sends a request. If the server is busy, waits as long as it says and sends the request again. */
async function send(url: string, headers: Record<string, string>, body?: object): Promise<Response> {
  const answer = await fetch(
    url,
    body === undefined
      ? { headers }
      : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) },
  );
  const retryAfter = answer.headers.get("retry-after");
  if (answer.status === 503 && retryAfter !== null) {
    await answer.body?.cancel();
    await sleep(Number(retryAfter) * 1_000);
    return send(url, headers, body);
  }
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function* follow(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<EventSeen, void> {
  const response = await fetch(url, { headers: { ...headers, "last-event-id": "0" }, signal });
  if (!response.ok || !response.body) throw new Error(`The stream was refused: ${response.status}`);
  let text = "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const data of blocks.flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? []))
      yield eventSchema.parse(JSON.parse(data));
  }
}
