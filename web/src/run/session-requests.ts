import type { EntryCard, ImageSide, ResultRow, RowEdit } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { customerPriceOf, parseOffer, parsePrice } from "@slabdesk/contract/sheet/price.ts";
import * as api from "../api/rows.ts";
import { changeScanSession, postToSession, type SessionChange } from "../api/sessions.ts";
import { isGone } from "../api/errors.ts";
import { shownSession } from "./open-session.ts";
import type { RowAmendment } from "./rows-store.ts";

/* Everything a person does to an open session. Each request updates the session's store, so every place that shows the
   session has the result. Each throws the API's errors. */

export type SessionAction = Parameters<typeof postToSession> extends [string, ...infer Rest] ? Rest : never;

/**
 * Acts on a session's run. `stop` finishes the cards in flight and leaves the rest pending; `resume` looks up the rest.
 * `retry` looks up failed rows again if that may help. `waiting` sends rows that wait for PSA's API to PSA's website.
 * `companies` looks up failed rows under their suggested company. `reprice` keeps prices of the last 24 hours. With
 * rows, only these change; with a company, numbers that can't be this company's are skipped.
 */
export async function actOn(sessionId: string, ...action: SessionAction): Promise<ScanSession> {
  const session = await changing(sessionId, postToSession(sessionId, ...action));
  const [name, { rowIds = [] } = {}] = action;
  if (name === "remove") shownSession(sessionId)?.rows.remove(rowIds);
  return session;
}

export const changeSession = (sessionId: string, change: SessionChange): Promise<ScanSession> =>
  changing(sessionId, changeScanSession(sessionId, change));

/** Corrects a failed row's number and looks it up. The new state arrives with the run's events. */
export async function correctRow({ id, sessionId }: ResultRow, change: api.RowChange): Promise<void> {
  await api.changeRow(id, change);
  shownSession(sessionId)?.catchUp();
}

/** Fetches a row's price. Other rows of the same card, and the reason for a missing price, may change too. */
export async function fetchPrice({ id, sessionId }: ResultRow): Promise<void> {
  try {
    const { pricing, cardsiq, pricingThen, cardsiqThen, prices } = await api.getPrice(id);
    amend(sessionId, { id, pricing, cardsiq, pricingThen, cardsiqThen, prices });
  } finally {
    shownSession(sessionId)?.catchUp();
  }
}

export async function swapSides({ id, sessionId }: ResultRow): Promise<ResultRow> {
  const saved = await api.swapImages(id);
  amend(sessionId, imagesOf(saved));
  return saved;
}

/** Replaces a side's image with the user's photo; null restores the grader's image. */
export async function changePhoto({ id, sessionId }: ResultRow, side: ImageSide, photo: Blob | null): Promise<void> {
  amend(sessionId, imagesOf(await (photo === null ? api.deletePhoto(id, side) : api.putPhoto(id, side, photo))));
}

/** Saves a card entered by hand, then its photos. The session's other rows of the card change too. */
export async function saveEntry(
  row: ResultRow,
  card: EntryCard,
  photos: Partial<Record<ImageSide, Blob>>,
): Promise<void> {
  amend(row.sessionId, await api.putEntry(row.id, card));
  try {
    if (photos.front) await changePhoto(row, "front", photos.front);
    if (photos.back) await changePhoto(row, "back", photos.back);
  } finally {
    shownSession(row.sessionId)?.catchUp();
  }
}

/** Changes the cost, the own offers, or the notes of rows. Shows the change at once, and takes it back if the server refuses it. */
export async function saveEdit(sessionId: string, edit: RowEdit): Promise<void> {
  const rows = shownSession(sessionId)?.rows;
  const ids = new Set(edit.rowIds);
  const before = (rows?.getSnapshot() ?? []).filter(({ id }) => ids.has(id));
  const change = editedFields(edit);
  rows?.amend(before.map(({ id }) => ({ id, ...change })));
  try {
    rows?.amend((await api.editRows(sessionId, edit)).map(ownFieldsOf));
  } catch (error) {
    rows?.amend(before.map(ownFieldsOf));
    throw error;
  }
}

/** Adds rows and looks them up. The server ignores a line that the session already has, so a retry is safe. */
export const addToSession = (sessionId: string, rows: readonly api.AddedRow[]): Promise<ScanSession> =>
  changing(sessionId, api.addRows(sessionId, rows));

export async function deleteRow({ id, sessionId }: Pick<ResultRow, "id" | "sessionId">): Promise<ScanSession> {
  const session = await changing(sessionId, api.removeRow(id));
  shownSession(sessionId)?.rows.remove([id]);
  return session;
}

/** Deletes the row of a line; null if the session has no such line (any more). */
export async function deleteLine(sessionId: string, line: number): Promise<ScanSession | null> {
  const row = await api.findRowOfLine(sessionId, line);
  if (row === null) return null;
  try {
    return await deleteRow(row);
  } catch (error) {
    // Another user deleted it in the meantime.
    if (isGone(error)) return null;
    throw error;
  }
}

export async function removeEntry({ id, sessionId }: ResultRow): Promise<void> {
  amend(sessionId, await api.deleteEntry(id));
  shownSession(sessionId)?.catchUp();
}

/** Shows the session that the server returned. If it is gone, the store finds out. */
async function changing(sessionId: string, answer: Promise<ScanSession>): Promise<ScanSession> {
  try {
    const session = await answer;
    shownSession(sessionId)?.apply(session);
    return session;
  } catch (error) {
    if (isGone(error)) shownSession(sessionId)?.catchUp();
    throw error;
  }
}

/** Only the fields that a request changes: an answer's other fields may be older than the row in the store. */
function amend(sessionId: string, amendment: RowAmendment): void {
  shownSession(sessionId)?.rows.amend([amendment]);
}

function ownFieldsOf({ id, price, priceText, customerPrice, ownOffer, ...row }: ResultRow): RowAmendment {
  const { sheetNotes, notes, warnings } = row;
  return { id, price, priceText, customerPrice, ownOffer, sheetNotes, notes, warnings };
}

/** What the server will make of an edit. */
function editedFields({ cost, offer, notes }: RowEdit): Partial<ResultRow> {
  const priceText = String(cost ?? "").trim();
  const reading = parsePrice(priceText);
  const price = reading.kind === "amount" ? reading.amount : null;
  const own = parseOffer(String(offer ?? ""));
  return {
    ...(cost !== undefined && { price, priceText, customerPrice: customerPriceOf(price) }),
    ...(offer !== undefined && own.problem === null && { ownOffer: own.offer }),
    ...(notes !== undefined && { sheetNotes: notes }),
  };
}

function imagesOf({ id, imageUrl, imageUrlBack, imageFlags }: ResultRow): RowAmendment {
  return { id, imageUrl, imageUrlBack, imageFlags };
}
