import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { constants, setPriority } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { deflateSync } from "node:zlib";
import { pngChunk as chunk } from "../../server/src/testing/png-chunk.ts";

/*
 * A program that attacks a server as one signed-in person until it is stopped: sheets that are expensive to read,
 * photos that are expensive to decode, everything that holds a place, and a flood of log entries. Its own process, so
 * that it doesn't slow the measuring one.
 */

const { ORIGIN = "", AUTHORIZATION = "", SESSION_ID = "", ROW_ID = "", KINDS = "" } = process.env;
/** Attackers have computers of their own: here they get only what the server and the others leave of the processor. */
setPriority(constants.priority.PRIORITY_LOW);
spawnSync("chrt", ["--all-tasks", "--idle", "--pid", "0", String(process.pid)]);
/** A person's connection: 100 Mbit/s. */
const BYTES_PER_MS = 12_500;

const headers = { authorization: AUTHORIZATION };
const JSON_TYPE = { "content-type": "application/json" };

let lineFreeAt = 0;

/** Waits until the person's connection could have sent as many bytes. */
async function transmit(bytes: number): Promise<void> {
  const startedAt = Math.max(performance.now(), lineFreeAt);
  lineFreeAt = startedAt + bytes / BYTES_PER_MS;
  await pause(lineFreeAt - performance.now());
}

/** Sends a request again and again, whatever the answer. A refusal is followed by a short pause, as a script would. */
async function repeatedly(times: number, send: () => Promise<Response>): Promise<void> {
  await Promise.all(
    Array.from({ length: times }, async () => {
      for (;;) {
        const answer = await send().catch(() => null);
        await answer?.arrayBuffer().catch(() => null);
        await pause(answer?.ok ? 0 : 20);
      }
    }),
  );
}

async function post(path: string, body: string, type: Record<string, string> = JSON_TYPE): Promise<Response> {
  await transmit(body.length);
  return fetch(ORIGIN + path, { method: "POST", headers: { ...headers, ...type }, body });
}

async function photo(body: Buffer<ArrayBuffer>): Promise<Response> {
  await transmit(body.length);
  return fetch(`${ORIGIN}/api/scan-results/${ROW_ID}/image/front`, {
    method: "PUT",
    headers: { ...headers, "content-type": "image/png" },
    body,
  });
}

/** Blanks before a line's end, which a careless expression tries one by one. */
const blanks = `CertNumber,GradingCompany\n${`${" ".repeat(32_000)}x,PSA\n`.repeat(500)}`;
const wide = JSON.stringify({
  rows: Array.from({ length: 8_000 }, (_, index) => ({
    line: index + 2,
    certNumber: "1",
    gradingCompany: "\u00a0".repeat(2_000),
  })),
});
let nextCert = 50_000_000;
/** A sheet of cards that no other sheet has. */
const sheetOf = (rows: number): string =>
  JSON.stringify({
    rows: Array.from({ length: rows }, (_, index) => ({
      line: index + 2,
      certNumber: String((nextCert += 1)),
      gradingCompany: "PSA",
    })),
  });
const many = sheetOf(100_000);

/** A black PNG of `side` by `side` gray pixels, with these chunks before its pixels. */
function png(side: number, ...extra: Buffer[]): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.writeUInt8(8, 8);
  const pixels = chunk("IDAT", deflateSync(Buffer.alloc((side + 1) * side)));
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk("IHDR", head), ...extra, pixels, chunk("IEND", Buffer.alloc(0))]);
}

const bomb = chunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), deflateSync(Buffer.alloc(8 * 1024 * 1024))]));
const textBombs = png(10, ...Array<Buffer>(100).fill(bomb));
const splinter = Buffer.concat([chunk("tEXt", Buffer.alloc(0)), chunk("abCd", Buffer.alloc(0))]);
const splinters = png(10, Buffer.alloc(400_000 * splinter.length, splinter));
const large = png(7_700);

/** Begins bodies that stop arriving. */
async function hang(path: string, method: string, type: string): Promise<void> {
  const { hostname, port } = new URL(ORIGIN);
  for (;;) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${AUTHORIZATION}\r\n` +
        `content-type: ${type}\r\ncontent-length: 9000000\r\n\r\n{`,
    );
    socket.resume();
    await once(socket, "close").catch(() => null);
  }
}

const SESSION = `${ORIGIN}/api/scan-sessions/${SESSION_ID}`;
const EXPORTS = `${SESSION}/export?format=`;
const entry = JSON.stringify({ activityType: "navigation", description: "x", metadata: { text: "x".repeat(900) } });
/** Each kind of attack, by name. */
const ATTACKS: Record<string, () => Promise<void>[]> = {
  "wide sheets": () => [repeatedly(4, () => post("/api/scan-plans", wide))],
  "long sheets": () => [repeatedly(2, () => post("/api/scan-plans", many))],
  "sheets of blanks": () => [
    repeatedly(2, () => post("/api/scan-sessions?csvFilename=x.csv", blanks, { "content-type": "text/csv" })),
  ],
  photos: () => [textBombs, splinters, large].map((bytes) => repeatedly(2, () => photo(bytes))),
  "bodies that stop arriving": () => [
    ...Array.from({ length: 10 }, () => hang("/api/scan-plans", "POST", "application/json")),
    ...Array.from({ length: 10 }, () => hang(`/api/scan-results/${ROW_ID}/image/back`, "PUT", "image/png")),
  ],
  exports: () => ["xlsx", "csv"].map((format) => repeatedly(3, () => fetch(EXPORTS + format, { headers }))),
  "large pages": () => [repeatedly(10, () => fetch(`${SESSION}/results?limit=5000`, { headers }))],
  "event streams": () => [repeatedly(30, () => fetch(`${SESSION}/events?lastEventId=0`, { headers }))],
  "small requests": () => [
    repeatedly(8, () => fetch(`${SESSION}/results?limit=250`, { headers })),
    repeatedly(4, () => fetch(`${ORIGIN}/api/scan-results/search?q=psa`, { headers })),
  ],
  "small sheets": () => [repeatedly(6, () => post("/api/scan-plans", sheetOf(85)))],
  "log entries": () => [repeatedly(4, () => post("/api/activity", entry))],
};
process.stdout.write("attacking\n");
await Promise.all(KINDS.split(",").flatMap((kind) => ATTACKS[kind]?.() ?? []));
