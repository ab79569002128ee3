import { rowSalesSchema } from "@slabdesk/contract/api/prices.ts";
import {
  type EntryCard,
  changedRowsSchema,
  type ImageSide,
  type ResultRow,
  resultRowSchema,
  resultsPageSchema,
  type RowEdit,
} from "@slabdesk/contract/api/results.ts";
import { provenanceSchema } from "@slabdesk/contract/api/provenance.ts";
import { searchAnswerSchema } from "@slabdesk/contract/api/search.ts";
import { type NewScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { queryOptions } from "@tanstack/react-query";
import { apiUrl, pagesOf, request, uncheckedRows } from "./http.ts";
import { MANY_ROWS_TIMEOUT_MS, sessionPath } from "./sessions.ts";

function rowPath(rowId: string, action?: string): string {
  return `scan-results/${encodeURIComponent(rowId)}${action === undefined ? "" : `/${action}`}`;
}

const resultsFrameSchema = resultsPageSchema.extend({ results: uncheckedRows<ResultRow>("status") });

/** One page of a session's rows, oldest first. With `since`, only rows that changed after that `eventSeq`. */
export const getResultsPage = (sessionId: string, query: { cursor?: string; limit?: number; since?: number } = {}) =>
  request(resultsFrameSchema, sessionPath(sessionId, "results"), { searchParams: query });

const PAGE = 1_000;

/** Finds the row of a line by paging through the session; null if the session has no such line. */
export async function findRowOfLine(sessionId: string, line: number): Promise<ResultRow | null> {
  for await (const { results } of pagesOf((cursor) => getResultsPage(sessionId, { cursor, limit: PAGE }))) {
    const row = results.find((result) => result.line === line);
    if (row) return row;
  }
  return null;
}

/** A row in the server's format, with its line and its cells as typed or scanned. */
export type AddedRow = NewScanSession["rows"][number];

export const MAX_ADDED_ROWS = 500;

/** Adds rows to a session and runs them. The server ignores a line that the session already has, so a retry is safe. */
export const addRows = (sessionId: string, rows: readonly AddedRow[]) =>
  request(scanSessionSchema, sessionPath(sessionId, "rows"), { method: "post", json: { rows } });

/** Removes a row from its session and returns the updated session. */
export const removeRow = (rowId: string) => request(scanSessionSchema, rowPath(rowId), { method: "delete" });

export type RowChange = { certNumber: string; gradingCompany: string };

/** Corrects and runs a failed row. @throws ApiError 400 if it is still unusable, 409 if the row did not fail */
export const changeRow = (rowId: string, change: RowChange) =>
  request(resultRowSchema, rowPath(rowId), { method: "patch", json: change });

/** Finds a failed or waiting row by the card that the user typed, or changes such an entry. */
export const putEntry = (rowId: string, card: EntryCard) =>
  request(resultRowSchema, rowPath(rowId, "entry"), { method: "put", json: card });

/** Removes a card entered by hand. The row fails as before. */
export const deleteEntry = (rowId: string) => request(resultRowSchema, rowPath(rowId, "entry"), { method: "delete" });

/** Marks rows as reviewed, or clears the mark. Returns the rows that changed. */
export const markReviewed = (sessionId: string, rowIds: readonly string[], isReviewed: boolean) =>
  changeRows(sessionPath(sessionId, "reviewed"), "post", { rowIds, isReviewed });

/** Changes the cost or the notes of rows. Returns the rows that changed. @throws ApiError 400 if the cost is not an amount. */
export const editRows = (sessionId: string, edit: RowEdit) => changeRows(sessionPath(sessionId, "rows"), "patch", edit);

async function changeRows(path: string, method: "post" | "patch", json: unknown): Promise<readonly ResultRow[]> {
  return (await request(changedRowsSchema, path, { method, json, timeoutMs: MANY_ROWS_TIMEOUT_MS })).results;
}

/** Finds the newest rows of all sessions that contain a text. Never cached, because results change constantly. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ["search", text] as const,
    queryFn: ({ signal }) => request(searchAnswerSchema, "scan-results/search", { searchParams: { q: text }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** A row's provenance. Refetched when the row changes. */
export const provenanceQuery = (row: ResultRow) =>
  queryOptions({
    queryKey: ["scan-result", row.id, "why", row] as const,
    queryFn: ({ signal }) => request(provenanceSchema, rowPath(row.id, "provenance"), { signal }),
    staleTime: 0,
    placeholderData: (before) => (before?.row.id === row.id ? before : undefined),
  });

/** A photo can be large and a phone's network slow. */
const PHOTO_TIMEOUT_MS = 180_000;

/** Replaces one side's image with the user's photo and returns the updated row. */
export const putPhoto = (rowId: string, side: ImageSide, photo: Blob) =>
  request(resultRowSchema, rowPath(rowId, `image/${side}`), {
    method: "put",
    body: photo,
    headers: { "content-type": photo.type },
    timeoutMs: PHOTO_TIMEOUT_MS,
  });

/** Removes the user's photo from a side, which restores the grader's image. */
export const deletePhoto = (rowId: string, side: ImageSide) =>
  request(resultRowSchema, rowPath(rowId, `image/${side}`), { method: "delete" });

export const swapImages = (resultId: string) =>
  request(resultRowSchema, rowPath(resultId, "images"), { method: "patch", json: { swap: true } });

/** URL of a row's image here. `width`, in device pixels, selects a thumbnail; without it, full size. `of`: which image. */
export const imageUrl = (rowId: string, side: ImageSide, query: { width: number | undefined; of: string }): string =>
  apiUrl(rowPath(rowId, `image/${side}`), query);

/** A price lookup goes through the source lanes and queues behind the prices of active runs. */
const PRICE_TIMEOUT_MS = 180_000;

/** Prices a row by every enabled source. @throws ApiError 404 if CardLadder has no price for the card */
export const getPrice = (rowId: string) =>
  request(resultRowSchema, rowPath(rowId, "pricing"), { method: "post", json: {}, timeoutMs: PRICE_TIMEOUT_MS });

/** The sales behind a row's prices. Refetched when the row's prices change. */
export const salesQuery = ({ id, pricing, cardsiq }: Pick<ResultRow, "id" | "pricing" | "cardsiq">) =>
  queryOptions({
    queryKey: ["scan-result", id, "sales", pricing?.fetchedAt ?? null, cardsiq?.fetchedAt ?? null] as const,
    queryFn: ({ signal }) => request(rowSalesSchema, rowPath(id, "sales"), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
