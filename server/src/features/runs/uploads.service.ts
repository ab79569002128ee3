import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { ScanSession, newScanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { defaultSessionName } from "@slabdesk/contract/sheet/session-name.ts";
import { inTurns } from "../../concurrency/event-loop.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { conflict } from "../../http/http-error.ts";
import { slicesOf } from "../../sheets/slices.ts";
import * as changes from "../sessions/session-changes.service.ts";
import { countOfCards } from "../sessions/sessions.present.ts";
import { requestPrices } from "../prices/price-requests.service.ts";
import { judgeRows } from "./row-columns.rules.ts";
import { showSession, type Viewer } from "../sessions/sessions.service.ts";
import { insertRows, listCached, type CertKey } from "./filled-rows.repo.ts";
import {
  demandRoom,
  enqueuePending,
  sizeOfRows,
  sizeOfSession,
  termsOf,
  type RunContext,
} from "./row-transactions.service.ts";

export type NewScan = z.output<typeof newScanSessionSchema>;

/** Returns those of these certs that an upload in this mode would fill from the cache, as "PSA 12345678". */
export function listCachedCerts(context: RunContext, certs: readonly CertKey[], mode: Mode): Promise<Set<string>> {
  return listCached(context.db, certs, termsOf(context, mode));
}

/**
 * Stores a sheet and starts its run. Creates the session, a row per line and the first jobs in one transaction. A
 * request with the same user and idempotency key returns the existing session.
 */
export async function createRun(context: RunContext, viewer: Viewer, scan: NewScan, idempotencyKey: string | null) {
  const { db, activity, sessions } = context;
  const request = idempotencyKey === null ? null : { key: idempotencyKey, hash: await hashOf(viewer, scan) };
  const texts = [scan.header, scan.sessionName, scan.csvFilename, idempotencyKey];
  const bytes = sizeOfSession(texts) + (await sizeOf(scan.rows));
  const stored = await db.transaction().execute((trx) => store(context, trx, viewer, { scan, bytes, request }));
  if (stored === null) return { session: await findEarlier(db, viewer, request), created: false };

  const session = await showSession(db, stored.sessionId);
  const about = { sessionId: session.id, sessionName: session.sessionName, totalCards: session.totalCards };
  await activity.log(viewer.id, "scan_session_created", `Created session ${session.sessionName}`, about);
  const message = `Started processing ${countOfCards(session.totalCards)} of ${session.sessionName}`;
  await activity.log(viewer.id, "scan_started", message, { ...about, mode: scan.mode });
  if (stored.completed) await sessions.logCompleted(viewer.id, session.id);
  return { session, created: true };
}

const SESSION_IS_GONE = "This upload's session was deleted. Choose the file again to repeat it";
const KEY_IS_USED = "This Idempotency-Key was already used for another sheet. Use a new key for each sheet";

/** The idempotency key of a request, and the hash of what it asks for. */
type KeyedRequest = { key: string; hash: string };

async function findEarlier(db: Database, viewer: Viewer, request: KeyedRequest | null): Promise<ScanSession> {
  const earlier = request && (await changes.findSessionByKey(db, viewer.id, request.key));
  if (!earlier) throw conflict(SESSION_IS_GONE);
  if (earlier.request_hash !== request.hash) throw conflict(KEY_IS_USED);
  return showSession(db, earlier.id);
}

/** Stores everything in the caller's transaction. Returns null if the idempotency key was already used. */
async function store(
  context: RunContext,
  trx: DatabaseTransaction,
  viewer: Viewer,
  { scan, bytes, request }: { scan: NewScan; bytes: number; request: KeyedRequest | null },
): Promise<{ sessionId: string; completed: boolean } | null> {
  const place = await changes.placeOfNext(trx, "lookup", { userId: viewer.id });
  const locked = await changes.insertSession(trx, {
    user_id: viewer.id,
    session_name: scan.sessionName || defaultSessionName(scan.csvFilename, context.now()),
    csv_filename: scan.csvFilename,
    header: scan.header,
    delimiter: scan.delimiter,
    sheet_fingerprint: scan.sheetFingerprint ?? null,
    total_cards: scan.rows.length,
    processing_mode: scan.mode,
    include_pricing: scan.includePricing,
    reuse_known: scan.reuseKnown,
    accept_companies: scan.acceptCompanies,
    idempotency_key: request && request.key,
    request_hash: request && request.hash,
  });
  if (!locked) return null;
  const { sessionId } = locked;
  await demandRoom(context, locked, bytes);
  const terms = scan.reuseKnown ? termsOf(context, scan.mode) : null;
  const { settled, events } = await insertRows(locked, judgeRows(scan.rows, scan), { terms });
  await changes.addEvents(locked, events);
  await enqueuePending(context, locked, place);
  const tally = scan.includePricing ? await requestPrices(context, locked, "all") : {};
  // Update the owner's profile last: all of the owner's sessions lock this row.
  await changes.addScan(trx, viewer.id);
  const { completed } = await changes.addProcessed(locked, { ...tally, rows: settled });
  return { sessionId, completed };
}

/** Measures the rows of a sheet with pauses, in which other requests run. */
async function sizeOf(all: NewScan["rows"]): Promise<number> {
  let bytes = 0;
  for (const slice of slicesOf(all)) {
    await setImmediate();
    bytes += sizeOfRows(slice);
  }
  return bytes;
}

/**
 * Hashes a request's JSON with pauses, in which other requests run. Includes newer options only if they differ from the
 * default, so that hashes stored by older versions still match.
 */
async function hashOf(viewer: Viewer, { rows: all, delimiter, acceptCompanies, ...options }: NewScan): Promise<string> {
  const later = { ...(delimiter !== "," && { delimiter }), ...(acceptCompanies && { acceptCompanies }) };
  const hash = createHash("sha256").update(`${JSON.stringify(options).slice(0, -1)},"rows":[`);
  let separator = "";
  await inTurns(viewer.id, slicesOf(all), (slice) => {
    hash.update(separator + JSON.stringify(slice).slice(1, -1));
    separator = ",";
  });
  const end = Object.keys(later).length === 0 ? "}" : `,${JSON.stringify(later).slice(1)}`;
  return hash.update(`]${end}`).digest("hex");
}
