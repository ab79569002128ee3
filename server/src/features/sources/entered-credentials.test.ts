import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CREDENTIAL_FIELDS } from "@slabdesk/contract/api/credentials.ts";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import {
  credentialTestSchema,
  sourceListSchema,
  sourceSchema,
  type Source,
  type SourceName,
} from "@slabdesk/contract/api/sources.ts";
import { openEndpoints, runSheet, sheetOf, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import { startTestServer, type TestNode } from "../../testing/test-server.ts";

const KEY = "0f".repeat(32);
const WRONG = "wrong-secret-of-the-shop";

let server: ScanTest;
let node: TestNode;
let answers = "";
beforeAll(async () => {
  const none = { PSA_API_TOKEN: "", CGC_API_USERNAME: "", CGC_API_PASSWORD: "", TAG_API_KEY: "" };
  server = await startScanTest({
    ...none,
    CARDSIQ_API_URL: "",
    CARDSIQ_API_KEY: "",
    PRICING_DELAY_MS: "0",
    SECRETS_KEY: KEY,
  });
  node = await server.anotherNode();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await server.db.deleteFrom("source_credentials").execute();
  await openEndpoints(server);
  server.simulator.calls.clear();
});

type Values = Record<string, string>;
async function send(method: "GET" | "PUT" | "POST" | "DELETE", url: string, values?: Values, at: TestNode = server) {
  const payload = values && { payload: { values } };
  const answer = await at.app.inject({ method, url, headers: server.admin.headers, ...payload });
  answers += answer.body;
  return answer;
}
const urlOf = (name: SourceName): string => `/api/admin/sources/${name}/credentials`;
async function enter(name: SourceName, values: Values, at: TestNode = server): Promise<Source> {
  const answer = await send("PUT", urlOf(name), values, at);
  expect(answer.statusCode, answer.body).toBe(200);
  return sourceSchema.parse(answer.json());
}
async function sourceAt(at: TestNode, name: SourceName): Promise<Source> {
  const { sources } = sourceListSchema.parse((await send("GET", "/api/admin/sources", undefined, at)).json());
  const found = sources.find((source) => source.name === name);
  if (!found) throw new Error(`${name} is missing`);
  return found;
}
async function refusalOf(method: "PUT" | "POST", url: string, values: Values, at: TestNode = server) {
  const answer = await send(method, url, values, at);
  return [answer.statusCode, errorBodySchema.parse(answer.json()).error];
}
/** The simulator's credentials of an upstream. */
const rightOf = (name: SourceName): Values =>
  Object.fromEntries(CREDENTIAL_FIELDS[name].map((field) => [field.name, server.simulator.settings[field.name] ?? ""]));

let next = 48_000_000;
async function statusOf(path: string, at: TestNode): Promise<number> {
  return (await send("GET", path, undefined, at)).statusCode;
}
async function psaAt(at: TestNode): Promise<number> {
  next += 1;
  return statusOf(`/api/psa-api/${next}`, at);
}

describe("entered credentials", () => {
  test("work on all nodes within seconds, end the pause for refused ones, and can be removed", async () => {
    expect(await psaAt(node)).toBe(503);
    const { credentials } = await enter("psa", { PSA_API_TOKEN: WRONG });
    expect(credentials).toMatchObject({ fields: [{ isSet: true, lockedReason: null }], problem: null });
    expect(credentials.entered).toEqual({ by: "Administrator", at: expect.any(String) as unknown });
    await expect.poll(() => psaAt(node)).toBe(502);
    for (let n = 0; n < 4; n += 1) await psaAt(node);
    expect(await sourceAt(node, "psa")).toMatchObject({ endpoints: [{ state: "paused" }, { state: "open" }] });
    await enter("psa", rightOf("psa"), node);
    expect(await psaAt(node)).toBe(200);
    await expect.poll(() => psaAt(server)).toBe(200);
    expect((await send("DELETE", urlOf("psa"))).statusCode).toBe(200);
    await expect.poll(() => psaAt(node)).toBe(503);
    expect((await sourceAt(node, "psa")).credentials).toMatchObject({ fields: [{ isSet: false }], entered: null });
  });

  test("replace a token that was fetched with earlier ones", async () => {
    await enter("cgc", rightOf("cgc"));
    const card = (): Promise<number> => statusOf("/api/cgc-api/1401019289294?forceRefresh=true", server);
    expect(await card()).toBe(200);
    await enter("cgc", { ...rightOf("cgc"), CGC_API_PASSWORD: WRONG });
    expect(await card()).toBe(502);
  });

  test("of a price source price the cards of the next run", async () => {
    await enter("cardsiq", rightOf("cardsiq"));
    await enter("tag", rightOf("tag"));
    const sheet = sheetOf([["C1240631", "TAG"]], { includePricing: true });
    const [row] = await runSheet(server, server.admin, sheet);
    expect(row?.prices.cardsiq?.state).toBe("priced");
  });

  test.each(["psa", "cgc", "tag", "cardsiq"] as const)("of %s are tested with one call and not saved", async (name) => {
    const secret = CREDENTIAL_FIELDS[name].at(-1)?.name ?? "";
    const tried = async (values: Values): Promise<string> => {
      server.simulator.calls.clear();
      const answer = await send("POST", `/api/admin/sources/${name}/test`, values);
      expect(server.simulator.calls.list()).toHaveLength(1);
      return credentialTestSchema.parse(answer.json()).result;
    };
    expect(await tried({ ...rightOf(name), [secret]: WRONG })).toBe("refused");
    expect(await tried(rightOf(name))).toBe("accepted");
    expect((await sourceAt(server, name)).credentials.entered).toBeNull();
  });

  test("are refused if they are incomplete, invalid, or provided by the settings", async () => {
    const { CARDSIQ_API_KEY = "" } = rightOf("cardsiq");
    for (const [name, values, status, message] of [
      ["cgc", { CGC_API_USERNAME: "shop" }, 400, "Password is missing."],
      ["psa", { PSA_API_TOKEN: "tok\nen" }, 400, "API token contains characters that no token has."],
      ["psa", { PSA_API_TOKEN: "token", TAG_API_KEY: "key" }, 400, "Only PSA_API_TOKEN can be entered."],
      ["cardsiq", { CARDSIQ_API_KEY, CARDSIQ_API_URL: "ftp://x" }, 400, "Address must be an http or https address."],
      ["cardladder", { CARDLADDER_EMAIL: "a@b.test" }, 409, /^CARDLADDER_WEB_KEY is set in the server's settings/],
    ] as const) {
      const text = typeof message === "string" ? message : (expect.stringMatching(message) as unknown);
      expect(await refusalOf("PUT", urlOf(name), values)).toEqual([status, text]);
      expect(await refusalOf("POST", `/api/admin/sources/${name}/test`, values)).toEqual([status, text]);
    }
    const person = await server.addPerson();
    for (const method of ["PUT", "DELETE"] as const) {
      const refused = await server.app.inject({ method, url: urlOf("psa"), headers: person.headers });
      expect(refused.statusCode).toBe(403);
    }
  });

  test("lose against the settings, and a key of the settings never goes to an entered address", async () => {
    await enter("cardsiq", { ...rightOf("cardsiq"), CARDSIQ_API_URL: server.simulator.origin });
    await enter("tag", { TAG_API_KEY: WRONG });
    const { TAG_API_KEY = "" } = rightOf("tag");
    const set = await server.anotherNode({ TAG_API_KEY, CARDSIQ_API_KEY: "key-of-the-settings" });
    expect(await statusOf("/api/tag-api/C1240631", set)).toBe(200);
    const { credentials } = await sourceAt(set, "cardsiq");
    expect(credentials.fields.map(({ isSet }) => isSet)).toEqual([false, true]);
    expect(credentials.fields.map(({ lockedReason }) => lockedReason)).toEqual([
      expect.stringContaining("Set CARDSIQ_API_URL there, too"),
      expect.stringContaining("Remove it there"),
    ]);
  });

  test("are neither used nor overwritten by a node with another key, nor for another source", async () => {
    await enter("psa", rightOf("psa"));
    const other = await server.anotherNode({ SECRETS_KEY: "1e".repeat(32) });
    expect(await psaAt(other)).toBe(503);
    const problem = expect.stringMatching(/^This server can't decrypt the credentials of PSA that Administrator/);
    expect((await sourceAt(other, "psa")).credentials.problem).toEqual(problem);
    expect(server.errors.join()).toContain("This server can't decrypt the credentials of PSA");
    expect(await refusalOf("PUT", urlOf("tag"), rightOf("tag"), other)).toEqual([
      409,
      expect.stringMatching(/^Nothing was saved: this server's key is not the one/),
    ]);
    expect(await psaAt(server)).toBe(200);

    await enter("tag", rightOf("tag"));
    await sql`UPDATE source_credentials SET sealed =
      (SELECT sealed FROM source_credentials WHERE source = 'tag') WHERE source = 'psa'`.execute(server.db);
    expect((await sourceAt(server, "psa")).credentials.problem).toEqual(problem);
    expect(await psaAt(server)).toBe(503);
  });
});

test("no answer, log line, activity, or stored row contains a value", async () => {
  await enter("psa", { PSA_API_TOKEN: WRONG });
  const { rows } = await sql<{ text: string }>`SELECT row_to_json(source_credentials)::text AS text
    FROM source_credentials`.execute(server.db);
  const activity = (await send("GET", "/api/admin/activity?limit=1000")).body;
  expect(activity).toContain("Entered the credentials of PSA");
  expect(activity).toContain("Removed the credentials of PSA");
  expect(answers).toContain('"psa"');
  const values = ["psa", "cgc", "tag", "cardsiq"] as const;
  const said = [answers, ...server.errors, ...rows.map(({ text }) => text)].join("\n");
  for (const value of [WRONG, ...values.flatMap((name) => Object.values(rightOf(name)))])
    expect(said.includes(value), value).toBe(false);
});

test("a demo refuses credentials, and says how to go live", async () => {
  const demo = await startTestServer({ UPSTREAMS: "demo" });
  try {
    const answer = await demo.app.inject({
      method: "PUT",
      url: urlOf("psa"),
      headers: demo.admin.headers,
      payload: { values: { PSA_API_TOKEN: WRONG } },
    });
    expect([answer.statusCode, errorBodySchema.parse(answer.json()).error]).toEqual([
      409,
      expect.stringContaining("npm run go-live"),
    ]);
  } finally {
    await demo.close();
  }
});
