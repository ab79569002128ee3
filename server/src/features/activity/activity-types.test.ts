import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ACTIVITY_TYPES,
  activityListSchema,
  BROWSER_ACTIVITY_TYPES,
  type ActivityType,
} from "@slabdesk/contract/api/activity.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { finish, sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";

let server: ScanTest;
let ana: Person;
let ben: Person;
let session: ScanSession;
let stopped: ScanSession;
let row: ResultRow;
let missing: ResultRow;
beforeAll(async () => {
  server = await startScanTest();
  [ana, ben] = [await server.addPerson(), await server.addPerson()];
});
afterAll(() => server.closeAll());

async function ask(
  person: Person,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  url: string,
  payload?: object,
): Promise<void> {
  const answer = await server.app.inject({ method, url, headers: person.headers, ...(payload && { payload }) });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
}

async function scan(): Promise<void> {
  session = await startScan(server, ana, sheetOf([["98174651", "PSA"]], { sessionName: "Box 12" }));
  const [found = expect.unreachable("the sheet has a row")] = await finish(server, ana, session);
  row = found;
}

/** Starts a run that cannot end, because its source is paused. */
async function stopAScan(): Promise<void> {
  await ask(server.admin, "POST", "/api/admin/sources/psa/pause");
  stopped = await startScan(server, ana, sheetOf([["26602137", "PSA"]], { sessionName: "Box 13" }));
  await ask(ana, "POST", `/api/scan-sessions/${stopped.id}/stop`);
}

async function resumeTheScan(): Promise<void> {
  await ask(ana, "POST", `/api/scan-sessions/${stopped.id}/resume`);
  await ask(server.admin, "POST", "/api/admin/sources/psa/open");
  await finish(server, ana, stopped);
}

async function enterACard(): Promise<void> {
  const sheet = sheetOf([["99999990", "PSA"]], { sessionName: "Box 14" });
  [missing = row] = await finish(server, ana, await startScan(server, ana, sheet));
  const card = { itemName: "Shoeless Joe", year: "", brand: "", cardNumber: "", grade: "", population: null };
  await ask(ana, "PUT", `/api/scan-results/${missing.id}/entry`, card);
}

const scanned = { sessionId: expect.any(String) as string };
const aboutBen = { userId: expect.any(String) as string };

type Deed = {
  type: ActivityType;
  who: () => Person;
  /** Without one, an earlier action has logged it. */
  deed?: () => Promise<unknown>;
  message: string | RegExp;
  metadata?: object;
};

/** The specified types and ours, each with an action that logs it, in a possible order. */
const DEEDS: Deed[] = [
  ...BROWSER_ACTIVITY_TYPES.map((type): Deed => ({
    type,
    who: () => ana,
    deed: () =>
      ask(ana, "POST", "/api/activity", { activityType: type, description: `Did ${type}`, metadata: { n: 1 } }),
    message: `Did ${type}`,
    metadata: { n: 1 },
  })),
  { type: "login", who: () => ana, deed: () => server.signIn(ana), message: "User logged in successfully" },
  {
    type: "login_failed",
    who: () => ana,
    deed: () => expect(server.signIn({ email: ana.email, password: "wrong" })).rejects.toThrow("Invalid email"),
    message: "Failed to sign in as person1@example.com from 127.0.0.1",
    metadata: { account: "person1@example.com", address: "127.0.0.1", reason: "Invalid email or password" },
  },
  {
    type: "scan_session_created",
    who: () => ana,
    deed: scan,
    message: "Created session Box 12",
    metadata: scanned,
  },
  { type: "scan_started", who: () => ana, message: "Started processing 1 card of Box 12", metadata: scanned },
  { type: "scan_completed", who: () => ana, message: "Completed processing 1 card of Box 12", metadata: scanned },
  {
    type: "image_swap",
    who: () => ana,
    deed: () => ask(ana, "PATCH", `/api/scan-results/${row.id}/images`, { swap: true }),
    message: "Swapped the images of PSA 98174651",
    metadata: { resultId: expect.any(String) as string },
  },
  {
    type: "pricing_fetch",
    who: () => ana,
    deed: () => ask(ana, "POST", `/api/scan-results/${row.id}/pricing`),
    message: "Fetched the price of PSA 98174651",
    metadata: { resultId: expect.any(String) as string },
  },
  {
    type: "csv_download",
    who: () => ana,
    deed: () => ask(ana, "GET", `/api/scan-sessions/${session.id}/export?format=json`),
    message: /^Downloaded .+\.json$/,
    metadata: { ...scanned, rowCount: 1, format: "json" },
  },
  {
    type: "csv_download",
    who: () => ana,
    deed: () => ask(ana, "POST", `/api/scan-sessions/${session.id}/export`, { format: "csv", rowIds: [row.id] }),
    message: /^Downloaded 1 selected card as .+\.csv$/,
    metadata: { ...scanned, rowCount: 1, format: "csv" },
  },
  {
    type: "activity_exported",
    who: () => server.admin,
    deed: () => ask(server.admin, "GET", "/api/admin/activity/export?type=login"),
    message: "Exported the activity log",
    metadata: { type: "login" },
  },
  { type: "scan_stopped", who: () => ana, deed: stopAScan, message: "Stopped processing Box 13", metadata: scanned },
  {
    type: "scan_started",
    who: () => ana,
    deed: resumeTheScan,
    message: "Resumed processing Box 13",
    metadata: scanned,
  },
  { type: "source_changed", who: () => server.admin, message: /PSA/, metadata: { source: "psa" } },
  {
    type: "entry_saved",
    who: () => ana,
    deed: enterACard,
    message: "Entered PSA 99999990 by hand",
    metadata: { resultId: expect.any(String) as string },
  },
  {
    type: "entry_removed",
    who: () => ana,
    deed: () => ask(ana, "DELETE", `/api/scan-results/${missing.id}/entry`),
    message: "Removed the card entered by hand for PSA 99999990",
    metadata: { resultId: expect.any(String) as string },
  },
  {
    type: "session_opened",
    who: () => server.admin,
    deed: () => ask(server.admin, "GET", `/api/scan-sessions/${session.id}/results`),
    message: "Opened session Box 12 of person1@example.com",
    metadata: { ...scanned, sessionName: "Box 12", owner: "person1@example.com" },
  },
  {
    type: "rows_searched",
    who: () => server.admin,
    deed: () => ask(server.admin, "GET", "/api/scan-results/search?q=99999990"),
    message: "Searched the rows of all users",
    metadata: {},
  },
  {
    type: "session_deleted",
    who: () => server.admin,
    deed: () => ask(server.admin, "DELETE", `/api/scan-sessions/${session.id}`),
    message: "Deleted session Box 12",
    metadata: { sessionName: "Box 12" },
  },
  {
    type: "password_changed",
    who: () => ana,
    deed: () =>
      ask(ana, "POST", "/api/account/password", { currentPassword: ana.password, newPassword: "another password" }),
    message: "Changed password",
  },
  {
    type: "logout",
    who: () => ana,
    deed: () => ask(ana, "POST", "/api/auth/sign-out"),
    message: "User logged out",
  },
  {
    type: "user_created",
    who: () => server.admin,
    deed: () => server.addPerson(),
    message: "Created user person3@example.com",
    metadata: { email: "person3@example.com", role: "user" },
  },
  {
    type: "user_role_changed",
    who: () => server.admin,
    deed: () => ask(server.admin, "PATCH", `/api/admin/users/${ben.id}`, { role: "admin" }),
    message: /person2@example.com .*administrator/,
    metadata: aboutBen,
  },
  {
    type: "auth_sessions_ended",
    who: () => server.admin,
    deed: () => ask(server.admin, "DELETE", `/api/admin/users/${ben.id}/auth-sessions`),
    message: /person2@example.com/,
    metadata: aboutBen,
  },
  {
    type: "two_step_changed",
    who: () => server.admin,
    deed: () => ask(server.admin, "DELETE", `/api/admin/users/${ben.id}/two-step`),
    message: "Turned off the two-step sign-in of person2@example.com",
    metadata: aboutBen,
  },
  {
    type: "password_reset",
    who: () => server.admin,
    deed: () => ask(server.admin, "POST", `/api/admin/users/${ben.id}/password`),
    message: "Gave person2@example.com a one-time password",
    metadata: aboutBen,
  },
  {
    type: "user_status_changed",
    who: () => server.admin,
    deed: () => ask(server.admin, "PATCH", `/api/admin/users/${ben.id}`, { isActive: false }),
    message: /deactivated user person2@example.com/i,
    metadata: { isActive: false },
  },
];

describe("every type of activity", () => {
  test("has a case below", () => {
    expect(new Set(DEEDS.map(({ type }) => type))).toEqual(new Set(ACTIVITY_TYPES));
  });

  test.each(DEEDS)(
    "$type is logged where it happens: who, what, when",
    async ({ type, who, deed, message, metadata }) => {
      const before = Date.now();
      await deed?.();
      const after = Date.now();
      const person = who();
      const url = `/api/admin/activity?type=${type}&userId=${person.id}&limit=1`;
      const answer = await server.app.inject({ url, headers: server.admin.headers });
      const [entry = expect.unreachable(`nothing was noted of ${type}`)] = activityListSchema.parse(
        answer.json(),
      ).activity;
      expect(entry).toMatchObject({ activityType: type, user: { email: person.email }, metadata: metadata ?? {} });
      expect(entry.description).toMatch(message);
      if (!deed) return;
      expect(Date.parse(entry.timestamp)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(entry.timestamp)).toBeLessThanOrEqual(after);
    },
  );
});
