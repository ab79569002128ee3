import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HeldToken } from "../../graders/held-token.ts";
import { createEndpoints } from "../../upstreams/http-endpoints.ts";
import { startLocalUpstream, type LocalUpstream, type Reply } from "../../testing/local-upstream.ts";
import { createCardLadderSignIn } from "./sign-in.ts";

const KEY = "web-key-7";
const PASSWORD = "pass&word=1";
const SIGN_IN_PATH = `/v1/accounts:signInWithPassword?key=${KEY}`;
const REFRESH_PATH = `/v1/token?key=${KEY}`;

let upstream: LocalUpstream;
let open: ReturnType<typeof createEndpoints>;
/** Timeout for upstreams that never answer. All others get the time that a busy machine needs. */
let hasty: ReturnType<typeof createEndpoints>;
let now: Date;

beforeEach(async () => {
  upstream = await startLocalUpstream();
  open = createEndpoints({ REQUEST_TIMEOUT_MS: 20_000 });
  hasty = createEndpoints({ REQUEST_TIMEOUT_MS: 300 });
  now = new Date("2026-11-21T12:00:00Z");
});
afterEach(async () => {
  await Promise.all([open.close(), hasty.close()]);
  await upstream.close();
});

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});
const html = (status: number, body: string): Reply => ({ status, headers: { "content-type": "text/html" }, body });
const refused = (message: string): Reply => json(400, { error: { code: 400, message } });
const HANG: Reply = () => undefined;

const signedIn = (n: number, expiresIn: unknown = "3600"): Reply =>
  json(200, { idToken: `id-${n}`, refreshToken: `refresh-${n}`, expiresIn, localId: "someone" });
const refreshed = (n: number): Reply =>
  json(200, { id_token: `id-${n}`, refresh_token: `refresh-${n}`, expires_in: "3600", token_type: "Bearer" });

function client({ endpoints } = open): HeldToken {
  const settings = {
    CARDLADDER_AUTH_URL: upstream.origin,
    CARDLADDER_TOKEN_URL: upstream.origin,
    CARDLADDER_WEB_KEY: KEY,
    CARDLADDER_EMAIL: "someone@example.com",
    CARDLADDER_PASSWORD: PASSWORD,
  };
  return createCardLadderSignIn({ endpoint: endpoints["cardladder-sign-in"], settings, now: () => now });
}
const later = (minutes: number): void => {
  now = new Date(now.getTime() + minutes * 60_000);
};
const seenPaths = (): string[] => upstream.seen.map(({ path }) => path);
const sentRefreshTokens = (): (string | null)[] =>
  upstream.seen
    .filter(({ path }) => path === REFRESH_PATH)
    .map(({ body }) => new URLSearchParams(body).get("refresh_token"));

test("signs in with JSON, then refreshes with a form", async () => {
  upstream.on(SIGN_IN_PATH, signedIn(1));
  upstream.on(REFRESH_PATH, refreshed(2));
  const signIn = client();
  expect(await signIn.token()).toEqual({ ok: true, value: "id-1" });
  later(56);
  expect(await signIn.token()).toEqual({ ok: true, value: "id-2" });
  expect(upstream.seen.map(({ method, path, body, headers }) => [method, path, headers["content-type"], body])).toEqual(
    [
      [
        "POST",
        SIGN_IN_PATH,
        "application/json",
        JSON.stringify({ email: "someone@example.com", password: PASSWORD, returnSecureToken: true }),
      ],
      ["POST", REFRESH_PATH, "application/x-www-form-urlencoded", "grant_type=refresh_token&refresh_token=refresh-1"],
    ],
  );
});

test("twenty concurrent cards share one sign-in, and one refresh after it expires", async () => {
  upstream.on(SIGN_IN_PATH, signedIn(1));
  upstream.on(REFRESH_PATH, refreshed(2));
  const signIn = client();
  const twenty = async (): Promise<string[]> => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => signIn.token()));
    return [...new Set(tokens.map((token) => (token.ok ? token.value : token.outcome.code)))];
  };
  expect(await twenty()).toEqual(["id-1"]);
  later(61);
  expect(await twenty()).toEqual(["id-2"]);
  expect(seenPaths()).toEqual([SIGN_IN_PATH, REFRESH_PATH]);
});

test("testing the password signs in despite an existing token, which is kept if the password is refused", async () => {
  upstream.on(SIGN_IN_PATH, signedIn(1), signedIn(2), refused("INVALID_LOGIN_CREDENTIALS"));
  const signIn = client();
  expect(await signIn.token()).toEqual({ ok: true, value: "id-1" });
  expect(await signIn.renew()).toEqual({ ok: true, value: "id-2" });
  expect(await signIn.renew()).toMatchObject({ ok: false, outcome: { code: "forbidden" } });
  expect(await signIn.token()).toEqual({ ok: true, value: "id-2" });
  expect(seenPaths()).toEqual([SIGN_IN_PATH, SIGN_IN_PATH, SIGN_IN_PATH]);
});

test("uses the newest refresh token, and the previous one if no newer one came", async () => {
  upstream.on(SIGN_IN_PATH, signedIn(1));
  upstream.on(REFRESH_PATH, refreshed(2), json(200, { id_token: "id-3", expires_in: 3600 }), refreshed(4));
  const signIn = client();
  const tokens: unknown[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    tokens.push(await signIn.token());
    later(56);
  }
  expect(tokens).toEqual(["id-1", "id-2", "id-3", "id-4"].map((value) => ({ ok: true, value })));
  expect(sentRefreshTokens()).toEqual(["refresh-1", "refresh-2", "refresh-2"]);
});

const lifetimes: [string, unknown, number, number][] = [
  ["five minutes before it expires", "3600", 54, 56],
  ["the same when the time comes as a number", 3600, 54, 56],
  ["as usual when it does not say", undefined, 54, 56],
  ["as usual when the time cannot be", "-1", 54, 56],
  ["at half time when it lives less than ten minutes", "240", 1, 3],
];
test.each(lifetimes)("renews a token %s", async (_when, expiresIn, stillGood, expired) => {
  upstream.on(SIGN_IN_PATH, signedIn(1, expiresIn));
  upstream.on(REFRESH_PATH, refreshed(2));
  const signIn = client();
  await signIn.token();
  later(stillGood);
  expect(await signIn.token()).toEqual({ ok: true, value: "id-1" });
  later(expired - stillGood);
  expect(await signIn.token()).toEqual({ ok: true, value: "id-2" });
});

test("a rejected token leads to a sign-in; a newer one stays", async () => {
  upstream.on(SIGN_IN_PATH, signedIn(1), signedIn(2));
  const signIn = client();
  await signIn.token();
  signIn.forget("id-1");
  expect(await signIn.token()).toEqual({ ok: true, value: "id-2" });
  signIn.forget("id-1");
  expect(await signIn.token()).toEqual({ ok: true, value: "id-2" });
  expect(seenPaths()).toEqual([SIGN_IN_PATH, SIGN_IN_PATH]);
});

test.each<[string, Reply]>([
  ["refused", refused("TOKEN_EXPIRED")],
  ["broken", json(500, {})],
  ["no token", json(200, { id_token: 5 })],
  ["a web page", html(200, "<!DOCTYPE html><p>Hi")],
])("a refresh that returns %s falls back to the password", async (_what, reply) => {
  upstream.on(SIGN_IN_PATH, signedIn(1), signedIn(2));
  upstream.on(REFRESH_PATH, reply);
  const signIn = client();
  await signIn.token();
  later(56);
  expect(await signIn.token()).toEqual({ ok: true, value: "id-2" });
  expect(seenPaths()).toEqual([SIGN_IN_PATH, REFRESH_PATH, SIGN_IN_PATH]);
});

test("a refresh that is told to wait does not fall back to the password", async () => {
  upstream.on(SIGN_IN_PATH, signedIn(1));
  upstream.on(REFRESH_PATH, json(429, {}, { "retry-after": "90" }));
  const signIn = client();
  await signIn.token();
  later(56);
  expect(await signIn.token()).toMatchObject({
    ok: false,
    outcome: { code: "quota_exhausted", until: new Date(now.getTime() + 90_000) },
  });
  expect(seenPaths()).toEqual([SIGN_IN_PATH, REFRESH_PATH]);
});

describe("a sign-in answered with", () => {
  const answers: [string, Reply, string, RegExp][] = [
    [
      "a refusal",
      refused("INVALID_LOGIN_CREDENTIALS"),
      "forbidden",
      /rejected our sign-in \(INVALID_LOGIN_CREDENTIALS\)/,
    ],
    [
      "a refusal with a message",
      refused("USER_DISABLED : The account has been disabled"),
      "forbidden",
      /rejected our sign-in \(USER_DISABLED\)/,
    ],
    ["a refusal that names the key", refused(`API key ${KEY} not valid`), "forbidden", /rejected our sign-in \(400\)/],
    ["403", json(403, { error: { message: `Blocked for api_key:${KEY}` } }), "forbidden", /sign-in \(403\)/],
    ["too many attempts", refused("TOO_MANY_ATTEMPTS_TRY_LATER : Access disabled"), "quota_exhausted", /slow down/],
    ["429", json(429, {}), "quota_exhausted", /slow down/],
    ["403 with a page", html(403, `<html>${KEY}`), "blocked", /bot protection/],
    ["404", json(404, {}), "unavailable", /\(404\)/],
    ["500", json(500, { error: { message: KEY } }), "unavailable", /\(500\)/],
    ["a web page", html(200, "<!DOCTYPE html><p>Hi"), "unavailable", /unexpected response/],
    ["torn JSON", { body: '{"idToken":"id-1","refreshToken":"refresh-1' }, "unavailable", /unexpected response/],
    ["null", json(200, null), "unavailable", /unexpected response/],
    ["a token with a line break", json(200, { idToken: "id\r\nx: y" }), "unavailable", /unexpected response/],
    [
      "a redirect to another host",
      { status: 307, headers: { location: `http://localhost:1/?key=${KEY}` } },
      "unavailable",
      /another address/,
    ],
    [
      "redirects without end",
      (response) => response.writeHead(307, { location: SIGN_IN_PATH }).end(),
      "unavailable",
      /not be reached/,
    ],
    ["more than 1 MB", { body: JSON.stringify({ idToken: "id-1" }).padEnd(1_000_001) }, "unavailable", /1 MB/],
    ["a broken connection", (response) => response.socket?.resetAndDestroy(), "unavailable", /not be reached/],
    ["nothing", HANG, "timeout", /timeout/],
  ];
  test.each(answers)("%s", async (_what, reply, code, message) => {
    upstream.on(SIGN_IN_PATH, reply);
    const token = await client(reply === HANG ? hasty : open).token();
    if (token.ok) throw new Error("It gave a token");
    expect(token.outcome).toMatchObject({ code, message: expect.stringMatching(message) as unknown });
    const kept = Object.values(token.outcome).map((value) => (value instanceof Error ? value.message : value));
    for (const secret of [KEY, PASSWORD, "refresh-1", "id-1"]) expect(JSON.stringify(kept)).not.toContain(secret);
  });

  test("a failure is not remembered: the next card signs in", async () => {
    upstream.on(SIGN_IN_PATH, json(500, {}), signedIn(1));
    const signIn = client();
    expect(await signIn.token()).toMatchObject({ ok: false });
    expect(await signIn.token()).toEqual({ ok: true, value: "id-1" });
  });
});
