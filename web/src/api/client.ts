import type { NewActivity } from "@slabdesk/contract/api/activity.ts";
import { profileSchema, type Profile, verifyAnswerSchema } from "@slabdesk/contract/api/people.ts";
import {
  type ImageSide,
  resultRowSchema,
  type ResultRow,
  resultsPageSchema,
  type ResultsPage,
} from "@slabdesk/contract/api/results.ts";
import {
  type EXPORT_FORMATS,
  type NewScanSession,
  type ScanSession,
  scanSessionSchema,
  sessionListSchema,
} from "@slabdesk/contract/api/sessions.ts";
import { type Status, statusSchema } from "@slabdesk/contract/api/status.ts";
import { z } from "zod";
import { request, requestJson } from "./http.ts";
import { logQuietly } from "./quiet-log.ts";

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const currentAuthSessionSchema = z.object({ user: z.object({ id: z.string(), email: z.string() }) }).nullable();
export type CurrentAuthSession = NonNullable<z.infer<typeof currentAuthSessionSchema>>;

/** Validates the frame of a results page. Rows aren't validated, because a page can hold thousands of them. */
const resultsFrameSchema = resultsPageSchema.extend({
  results: z.array(
    z.custom<ResultRow>((row) => typeof row === "object" && row !== null && "id" in row && "status" in row),
  ),
});

/** Signs in. The server sets the session cookie. @throws ApiError with the server's message if sign-in is refused. */
export async function signIn(email: string, password: string): Promise<void> {
  await requestJson("auth/sign-in/email", { method: "post", json: { email, password }, isAboutSession: true });
}

export async function signOut(): Promise<void> {
  await requestJson("auth/sign-out", { method: "post", json: {}, isAboutSession: true });
}

/** The auth session of this browser's cookie, or null if no one is signed in. */
export function getAuthSession(): Promise<CurrentAuthSession | null> {
  return request(currentAuthSessionSchema, "auth/get-session", { isAboutSession: true });
}

/** The signed-in user's profile. @throws ApiError 403 `deactivated`. */
export function getProfile(): Promise<Profile> {
  return request(profileSchema, "profile");
}

export function getStatus(): Promise<Status> {
  return request(statusSchema, "status");
}

export function verifyAuth(): Promise<z.infer<typeof verifyAnswerSchema>> {
  return request(verifyAnswerSchema, "auth/verify");
}

/** Writes one activity-log entry. A failure goes to the console only; the user never sees it. */
export async function logActivity(activity: NewActivity): Promise<void> {
  try {
    await requestJson("activity", { method: "post", json: activity });
  } catch (error) {
    logQuietly("Logging the activity failed", error);
  }
}

/** Creates a session and starts its run. Repeating an `idempotencyKey` never creates a second session. */
export function createScanSession(session: NewScanSession, idempotencyKey: string): Promise<ScanSession> {
  return request(scanSessionSchema, "scan-sessions", {
    method: "post",
    json: session,
    headers: { "idempotency-key": idempotencyKey },
    timeoutMs: 120_000,
  });
}

export type SessionListQuery = {
  filter?: string;
  sort?: "date" | "name" | "cards" | "status";
  order?: "asc" | "desc";
  cursor?: string;
  limit?: number;
};

/** Lists the caller's own sessions, newest first by default. `nextCursor` is null on the last page. */
export function listScanSessions(query: SessionListQuery = {}): Promise<z.infer<typeof sessionListSchema>> {
  return request(sessionListSchema, "scan-sessions", { searchParams: query });
}

export function getScanSession(sessionId: string): Promise<ScanSession> {
  return request(scanSessionSchema, `scan-sessions/${encodeURIComponent(sessionId)}`);
}

export type ResultsQuery = { cursor?: string; limit?: number; since?: number };

/** One page of a session's rows, oldest first. With `since`, only rows that changed after that `eventSeq`. */
export function getResultsPage(sessionId: string, query: ResultsQuery = {}): Promise<ResultsPage> {
  return request(resultsFrameSchema, `scan-sessions/${encodeURIComponent(sessionId)}/results`, { searchParams: query });
}

/** Stops a run. The card in flight finishes; the rest stay pending. Idempotent. */
export function stopScanSession(sessionId: string): Promise<ScanSession> {
  return request(scanSessionSchema, `scan-sessions/${encodeURIComponent(sessionId)}/stop`, {
    method: "post",
    json: {},
  });
}

/** Swaps a row's front and back images and returns the updated row. */
export function swapImages(resultId: string): Promise<ResultRow> {
  return request(resultRowSchema, `scan-results/${encodeURIComponent(resultId)}/images`, {
    method: "patch",
    json: { swap: true },
  });
}

/** The download URL for a session's rows in the given format. */
export function exportUrl(sessionId: string, format: ExportFormat): string {
  return `/api/scan-sessions/${encodeURIComponent(sessionId)}/export?format=${format}`;
}

/** URL of a row's image on our server. `width`, in device pixels, selects a thumbnail; omit it for full size. */
export function imageUrl(resultId: string, side: ImageSide, width?: number): string {
  const query = width === undefined ? "" : `?width=${width}`;
  return `/api/scan-results/${encodeURIComponent(resultId)}/image/${side}${query}`;
}
