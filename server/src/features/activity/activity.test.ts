import { afterAll, beforeAll, expect, test } from "vitest";
import { ACTIVITY_TYPES, BROWSER_ACTIVITY_TYPES } from "@slabdesk/contract/api/activity.ts";
import type { ErrorBody } from "@slabdesk/contract/api/errors.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
});

const note = (payload: object) =>
  server.app.inject({ method: "POST", url: "/api/activity", headers: server.admin.headers, payload });
const list = async () =>
  (await server.app.inject({ url: "/api/admin/activity", headers: server.admin.headers })).json<{
    activity: { activityType: string; description: string; metadata: object; user: object }[];
  }>();

test("what the browser notes is listed, newest first, with the person", async () => {
  expect((await note({ activityType: "app_access", description: "Opened the application" })).statusCode).toBe(204);
  const metadata = { tab: "dashboard", visits: 2, first: false, from: null };
  expect((await note({ activityType: "navigation", description: "Opened Dashboard", metadata })).statusCode).toBe(204);
  const { activity } = await list();
  expect(activity.slice(0, 2)).toMatchObject([
    { activityType: "navigation", description: "Opened Dashboard", metadata, user: { email: server.admin.email } },
    { activityType: "app_access", description: "Opened the application", metadata: {} },
  ]);
});

const serverTypes = ACTIVITY_TYPES.filter((type) => !BROWSER_ACTIVITY_TYPES.some((own) => own === type));

test.each(serverTypes)("the browser cannot claim %s, which the server notes itself", async (activityType) => {
  const answer = await note({ activityType, description: "Claimed" });
  expect(answer.statusCode).toBe(400);
  const { code, fields } = answer.json<ErrorBody>();
  expect([code, Object.keys(fields ?? {})]).toEqual(["bad_request", ["activityType"]]);
});

test("metadata has at most 20 entries", async () => {
  const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, at]));
  const noted = (count: number) =>
    note({ activityType: "navigation", description: "Opened Dashboard", metadata: entries(count) });
  expect((await noted(20)).statusCode).toBe(204);
  const answer = await noted(21);
  expect(answer.statusCode).toBe(400);
  expect(answer.json<ErrorBody>().fields).toEqual({ metadata: "takes at most 20 entries" });
});

test("the list ends after 100 entries", async () => {
  await server.db
    .insertInto("user_activity_logs")
    .values(
      Array.from({ length: 120 }, (_, at) => ({
        user_id: server.admin.id,
        activity_type: "navigation" as const,
        description: `Visit ${at}`,
        metadata: "{}",
      })),
    )
    .execute();
  expect((await list()).activity).toHaveLength(100);
});

test("a note that cannot be stored is logged and hurts nobody", async () => {
  await server.db.schema.alterTable("user_activity_logs").renameTo("lost_logs").execute();
  expect((await note({ activityType: "navigation", description: "Opened Admin" })).statusCode).toBe(204);
  await expect(server.signIn(server.admin)).resolves.toBeDefined();
  expect(server.errors.join("")).toContain("An activity could not be stored");
  await server.db.schema.alterTable("lost_logs").renameTo("user_activity_logs").execute();
});
