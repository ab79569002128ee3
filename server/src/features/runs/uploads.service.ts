import type { z } from "zod";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { ScanSession, newScanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { defaultSessionName } from "@slabdesk/contract/sheet/session-name.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { conflict } from "../../http/http-error.ts";
import type { UploadedRows } from "../../sheets/sheet-reader.ts";
import * as changes from "../sessions/session-changes.service.ts";
import { countOfCards } from "../sessions/sessions.present.ts";
import { requestPrices } from "../prices/price-requests.service.ts";
import { showSession, type Viewer } from "../sessions/sessions.service.ts";
import { insertChunks, listCached, type CertKey } from "./filled-rows.repo.ts";
import { demandRoom, enqueuePending, sizeOfSession, termsOf, type RunContext } from "./row-transactions.service.ts";

type NewScan = Omit<z.output<typeof newScanSessionSchema>, "rows">;

/** Returns those of these certs that an upload in this mode would fill from the cache, as "PSA 12345678". */
export function listCachedCerts(context: RunContext, certs: readonly CertKey[], mode: Mode): Promise<Set<string>> {
  return listCached(context.db, certs, termsOf(context, mode));
}

/**
 * Stores a sheet and starts its run. Creates the session, a row per line and the first jobs in one transaction. A
 * request with the same user and idempotency key returns the existing session.
 */
export async function createRun(
  context: RunContext,
  viewer: Viewer,
  scan: NewScan,
  rows: UploadedRows,
  idempotencyKey: string | null,
) {
  const { db, activity, sessions } = context;
  const upload = { scan, rows, idempotencyKey };
  const stored = await db.transaction().execute((trx) => store(context, trx, viewer, upload));
  if (stored === null) return { session: await findEarlier(db, viewer, upload), created: false };

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

type NewUpload = { scan: NewScan; rows: UploadedRows; idempotencyKey: string | null };

async function findEarlier(db: Database, viewer: Viewer, { rows, idempotencyKey }: NewUpload): Promise<ScanSession> {
  const earlier = idempotencyKey === null ? null : await changes.findSessionByKey(db, viewer.id, idempotencyKey);
  if (!earlier) throw conflict(SESSION_IS_GONE);
  if (earlier.request_hash !== rows.hash) throw conflict(KEY_IS_USED);
  return showSession(db, earlier.id);
}

/** Stores everything in the caller's transaction. Returns null if the idempotency key was already used. */
async function store(
  context: RunContext,
  trx: DatabaseTransaction,
  viewer: Viewer,
  { scan, rows, idempotencyKey }: NewUpload,
): Promise<{ sessionId: string; completed: boolean } | null> {
  const place = await changes.placeOfNext(trx, "lookup", { userId: viewer.id });
  const locked = await changes.insertSession(trx, {
    user_id: viewer.id,
    session_name: scan.sessionName || defaultSessionName(scan.csvFilename, context.now()),
    csv_filename: scan.csvFilename,
    header: scan.header,
    delimiter: scan.delimiter,
    sheet_fingerprint: scan.sheetFingerprint ?? null,
    total_cards: rows.count,
    processing_mode: scan.mode,
    include_pricing: scan.includePricing,
    reuse_known: scan.reuseKnown,
    accept_companies: scan.acceptCompanies,
    idempotency_key: idempotencyKey,
    request_hash: rows.hash,
  });
  if (!locked) return null;
  const { sessionId } = locked;
  const texts = [scan.header, scan.sessionName, scan.csvFilename, idempotencyKey];
  await demandRoom(context, locked, sizeOfSession(texts) + rows.bytes);
  const terms = scan.reuseKnown ? termsOf(context, scan.mode) : null;
  const { settled, events } = await insertChunks(locked, rows.chunks, { terms });
  await changes.addEvents(locked, events);
  await enqueuePending(context, locked, place);
  const tally = scan.includePricing ? await requestPrices(context, locked, "all") : {};
  // Update the owner's profile last: all of the owner's sessions lock this row.
  await changes.addScan(trx, viewer.id);
  const { completed } = await changes.addProcessed(locked, { ...tally, rows: settled });
  return { sessionId, completed };
}
