import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ACTIVITY_TYPES,
  activityListSchema,
  BROWSER_ACTIVITY_TYPES,
  type ActivityType,
} from "@slabdesk/contract/api/activity.ts";
import type { ErrorBody } from "@slabdesk/contract/api/errors.ts";
import { parseCsv } from "@slabdesk/contract/sheet/csv.ts";
import { restoreLine } from "@slabdesk/contract/sheet/safe-cells.ts";
import { startTestServer, type Person, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  server = await startTestServer();
  [ana, ben] = [await server.addPerson(), await server.addPerson()];
});
afterAll(async () => {
  await server.close();
});

const note = (payload: object, person = server.admin) =>
  server.app.inject({ method: "POST", url: "/api/activity", headers: person.headers, payload });
const ask = (query: string) => server.app.inject({ url: `/api/admin/activity${query}`, headers: server.admin.headers });
const list = async (query = "") => {
  const answer = await ask(query);
  expect(answer.statusCode, answer.body).toBe(200);
  return activityListSchema.parse(answer.json());
};
const told = async (query: string) => (await list(query)).activity.map(({ description }) => description);

type Entry = { person?: Person; type?: ActivityType; description: string; metadata?: object; at: string };

/** Entries with other times. */
async function store(entries: readonly Entry[]): Promise<void> {
  await server.db
    .insertInto("user_activity_logs")
    .values(
      entries.map(({ person = ana, type = "navigation", description, metadata = {}, at }) => ({
        user_id: person.id,
        activity_type: type,
        description,
        metadata: JSON.stringify(metadata),
        timestamp: new Date(at),
      })),
    )
    .execute();
}

describe("an entry from the browser", () => {
  test("is listed, newest first, with the person", async () => {
    expect((await note({ activityType: "app_access", description: "Opened the application" })).statusCode).toBe(204);
    const metadata = { tab: "dashboard", visits: 2, first: false, from: null };
    expect((await note({ activityType: "navigation", description: "Opened Dashboard", metadata })).statusCode).toBe(
      204,
    );
    const { activity } = await list();
    expect(activity.slice(0, 2)).toMatchObject([
      { activityType: "navigation", description: "Opened Dashboard", metadata, user: { email: server.admin.email } },
      { activityType: "app_access", description: "Opened the application", metadata: {} },
    ]);
  });

  test("is stored without characters that the database refuses", async () => {
    const metadata = { "tab\0": "dash\0board", half: "\ud800" };
    expect((await note({ activityType: "navigation", description: "Opened\0 Admin", metadata })).statusCode).toBe(204);
    expect((await list("?limit=1")).activity).toMatchObject([
      { description: "Opened Admin", metadata: { tab: "dashboard", half: "\ufffd" } },
    ]);
  });

  test("is stored without line ends and direction marks, which could hide a part of it", async () => {
    const metadata = { "a\r\nb": "1\u001b[2J2", mark: "x\u202egnp.exe" };
    expect((await note({ activityType: "navigation", description: "One\nTwo\u2066", metadata })).statusCode).toBe(204);
    expect((await list("?limit=1")).activity).toMatchObject([
      { description: "One Two ", metadata: { "a b": "1 [2J2", mark: "x gnp.exe" } },
    ]);
  });

  test("is stored with the first 200 characters of its texts", async () => {
    const long = "n".repeat(500);
    await note({ activityType: "csv_upload", description: long, metadata: { name: long } });
    const cut = long.slice(0, 200);
    expect((await list("?limit=1")).activity).toMatchObject([{ description: cut, metadata: { name: cut } }]);
  });

  const serverTypes = ACTIVITY_TYPES.filter((type) => !BROWSER_ACTIVITY_TYPES.some((own) => own === type));

  test.each(serverTypes)("cannot be %s, which the server logs itself", async (activityType) => {
    const answer = await note({ activityType, description: "Claimed" });
    expect(answer.statusCode).toBe(400);
    const { code, fields } = answer.json<ErrorBody>();
    expect([code, Object.keys(fields ?? {})]).toEqual(["bad_request", ["activityType"]]);
  });

  test("has at most 20 metadata entries", async () => {
    const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, at]));
    const noted = (count: number) =>
      note({ activityType: "navigation", description: "Opened Dashboard", metadata: entries(count) });
    expect((await noted(20)).statusCode).toBe(204);
    const answer = await noted(21);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<ErrorBody>().fields).toEqual({ metadata: "must have at most 20 entries" });
  });
});

describe("the list", () => {
  test("pages by 100 entries, also among entries of the same moment", async () => {
    const at = "2021-03-01T12:00:00.000Z";
    await store(Array.from({ length: 250 }, (_, n) => ({ description: `Visit ${n}`, at })));
    const pages: string[][] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await list(`?from=2021-03-01&to=2021-03-01${cursor && `&cursor=${cursor}`}`);
      pages.push(page.activity.map(({ description }) => description));
      cursor = page.nextCursor;
    }
    expect(pages.map((page) => page.length)).toEqual([100, 100, 50]);
    expect(pages.flat()).toEqual(Array.from({ length: 250 }, (_, n) => `Visit ${249 - n}`));
  });

  test("has a stable order if entries arrive late", async () => {
    await store([
      { description: "second", at: "2021-04-01T10:00:01Z" },
      { description: "third", at: "2021-04-01T10:00:02Z" },
      { description: "first, told last", at: "2021-04-01T10:00:00Z" },
    ]);
    const first = await list("?from=2021-04-01&to=2021-04-01&limit=2");
    expect(first.activity.map(({ description }) => description)).toEqual(["third", "second"]);
    expect(await told(`?from=2021-04-01&to=2021-04-01&limit=2&cursor=${first.nextCursor}`)).toEqual([
      "first, told last",
    ]);
  });

  describe("a filtered list", () => {
    beforeAll(() =>
      store([
        { person: ana, type: "login", description: "1", at: "2022-05-01T00:00:00.000Z" },
        { person: ben, type: "login", description: "2", at: "2022-05-01T23:59:59.999Z" },
        { person: ana, type: "csv_upload", description: "3", at: "2022-05-02T00:00:00.000Z" },
        { person: ben, type: "csv_upload", description: "4", at: "2022-05-03T23:59:59.999Z" },
        { person: ana, type: "login", description: "5", at: "2022-05-04T00:00:00.000Z" },
      ]),
    );
    const days = "?from=2022-05-01&to=2022-05-04";

    test.each([
      ["all days, both included", () => days, "54321"],
      ["one day, to its last moment", () => "?from=2022-05-01&to=2022-05-01", "21"],
      ["a day and those after it", () => `?from=2022-05-03&to=2022-12-31`, "54"],
      ["a day and those before it", () => `?to=2022-05-01&from=2022-01-01`, "21"],
      ["no day at all", () => "?from=2022-05-04&to=2022-05-01", ""],
      ["the first and the last day there is", () => `?from=0000-01-01&to=9999-12-31&type=login&userId=${ben.id}`, null],
      ["a person", () => `${days}&userId=${ben.id}`, "42"],
      ["a type", () => `${days}&type=csv_upload`, "43"],
      ["a person and a type", () => `${days}&userId=${ana.id}&type=login`, "51"],
      ["nobody", () => `${days}&userId=nobody%00`, ""],
      ["a type that did not occur", () => `${days}&type=image_swap`, ""],
    ])("is filtered by %s", async (_, query, expected) => {
      const descriptions = await told(query());
      if (expected === null) expect(descriptions.at(-1)).toBe("2");
      else expect(descriptions.join("")).toBe(expected);
    });

    test("is paged within the filter", async () => {
      const { activity, nextCursor } = await list(`${days}&userId=${ana.id}&type=login&limit=1`);
      expect(activity).toHaveLength(1);
      expect(nextCursor).toBe(activity[0]?.id);
      expect(await told(`${days}&userId=${ana.id}&type=login&limit=1&cursor=${nextCursor}`)).toEqual(["1"]);
    });
  });

  test.each([
    ["?type=theft", "type"],
    ["?from=yesterday", "from"],
    ["?to=2022-02-30", "to"],
    ["?limit=1001", "limit"],
    ["?cursor=-1", "cursor"],
  ])("refuses %s", async (query, field) => {
    const answer = await ask(query);
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json<ErrorBody>().fields ?? {})).toEqual([field]);
  });

  test("has nothing after an entry that does not exist", async () => {
    expect(await list("?cursor=999999999")).toEqual({ activity: [], nextCursor: null });
  });
});

describe("the downloaded file", () => {
  const from = async (query: string): Promise<Response> => {
    const url = `${await server.address()}/api/admin/activity/export${query}`;
    return fetch(url, { headers: server.admin.headers });
  };

  test("has every filtered entry, newest first, and no formulas", async () => {
    const metadata = { file: "=1+1.csv", cards: 3 };
    await store([
      { person: ana, type: "csv_upload", description: '=HYPERLINK("http://x")', metadata, at: "2023-06-01T08:00:00Z" },
      { person: ben, description: "Opened Dashboard", at: "2023-06-02T08:00:00Z" },
      { person: ben, description: "Later", at: "2023-06-03T08:00:00Z" },
    ]);
    const answer = await from("?from=2023-06-01&to=2023-06-02");
    const today = new Date().toISOString().slice(0, 10);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toContain(`attachment; filename="activity-${today}.csv"`);
    const file = Buffer.from(await answer.arrayBuffer()).toString();
    expect(file.startsWith("\ufeffTime,User,Email,Action,Details,Metadata\r\n")).toBe(true);
    expect(file).toContain(`"'=HYPERLINK`);
    const reading = parseCsv(file);
    expect(reading.ok && reading.lines.slice(1).map(restoreLine)).toEqual([
      ["2023-06-02T08:00:00.000Z", "Person 2", ben.email, "navigation", "Opened Dashboard", ""],
      [
        "2023-06-01T08:00:00.000Z",
        "Person 1",
        ana.email,
        "csv_upload",
        '=HYPERLINK("http://x")',
        '{"file":"=1+1.csv","cards":3}',
      ],
    ]);
  });

  const MANY = 2_500;
  const many = "?from=2023-07-01&to=2023-07-01";
  const storeMany = () =>
    sql`
      INSERT INTO user_activity_logs (user_id, activity_type, description, timestamp)
      SELECT ${ana.id}, 'navigation', n || repeat('x', 5000), '2023-07-01T00:00:00Z'
      FROM generate_series(1, ${MANY}) AS n`.execute(server.db);

  test("of many entries is complete, and breaks off if the database fails", async () => {
    await storeMany();
    const reading = parseCsv(await (await from(many)).text());
    expect(reading.ok && reading.lines.slice(1).map((cells) => Number.parseInt(cells[4] ?? "", 10))).toEqual(
      Array.from({ length: MANY }, (_, n) => MANY - n),
    );

    const broken = await from(many);
    expect(broken.status).toBe(200);
    await sql`ALTER TABLE user_activity_logs RENAME TO gone`.execute(server.db);
    try {
      if (!broken.body) expect.unreachable("there is a body");
      await expect(text(broken.body)).rejects.toThrow("terminated");
    } finally {
      await sql`ALTER TABLE gone RENAME TO user_activity_logs`.execute(server.db);
    }
  });

  test("is for administrators only", async () => {
    const url = "/api/admin/activity/export";
    expect((await server.app.inject({ url, headers: ana.headers })).statusCode).toBe(403);
  });
});

test("an entry without metadata has an empty object", async () => {
  const { rows } = await sql`
    INSERT INTO user_activity_logs (user_id, activity_type, description)
    VALUES (${ana.id}, 'navigation', 'No metadata') RETURNING metadata`.execute(server.db);
  expect(rows).toEqual([{ metadata: {} }]);
});

test("a browser's entries are limited in number and size", async () => {
  const cat = await server.addPerson();
  const entry = { activityType: "navigation", description: "Opened Dashboard" };
  const long = await note({ ...entry, metadata: { first: "x".repeat(1_000), second: "x".repeat(1_000) } }, cat);
  expect([long.statusCode, long.json<ErrorBody>().error]).toEqual([
    400,
    expect.stringMatching("at most 2000 characters"),
  ]);
  const statuses = [];
  for (let count = 0; count < 60; count += 1) statuses.push((await note(entry, cat)).statusCode);
  expect(statuses).toEqual([...Array<number>(59).fill(204), 429]);
  expect((await note(entry, ben)).statusCode).toBe(204);
});
