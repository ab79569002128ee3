import type { EntryCard } from "@slabdesk/contract/api/entry.ts";
import {
  changedRowsSchema,
  type ResultRow,
  resultRowSchema,
  resultsPageSchema,
  type RowEdit,
} from "@slabdesk/contract/api/results.ts";
import { provenanceSchema } from "@slabdesk/contract/api/provenance.ts";
import { searchAnswerSchema } from "@slabdesk/contract/api/search.ts";
import { type NewScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { pagesOf, request } from "./http.ts";
import { rowPath, sessionPath } from "./paths.ts";

/** 100,000 rows take the server longer than one row. */
const MANY_ROWS_TIMEOUT_MS = 120_000;

/** Validates the frame of a results page. Rows aren't validated, because a page can hold thousands of them. */
const resultsFrameSchema = resultsPageSchema.extend({
  results: z.array(
    z.custom<ResultRow>((row) => typeof row === "object" && row !== null && "id" in row && "status" in row),
  ),
});

export type ResultsQuery = { cursor?: string; limit?: number; since?: number };

/** One page of a session's rows, oldest first. With `since`, only rows that changed after that `eventSeq`. */
export const getResultsPage = (sessionId: string, query: ResultsQuery = {}) =>
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

/** Maximum rows per request. */
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
    // Keep the previous data visible until the new data arrives.
    placeholderData: (before) => (before?.row.id === row.id ? before : undefined),
  });
