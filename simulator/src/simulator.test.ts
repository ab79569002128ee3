import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startSimulator, type Simulator } from "./simulator.ts";

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({ hasPlainImages: true });
});
afterEach(() => simulator.close());

const setting = (name: string): string => simulator.settings[name] ?? "";
const psa = (path: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> =>
  fetch(`${setting("PSA_API_URL")}/cert/${path}`, {
    signal: signal ?? null,
    headers: { authorization: `bearer ${setting("PSA_API_TOKEN")}`, accept: "application/json", ...headers },
  });
const logIn = async (password = setting("CGC_API_PASSWORD")): Promise<Response> =>
  fetch(`${setting("CGC_API_URL")}/auth/login/CGC`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ Username: setting("CGC_API_USERNAME"), Password: password }),
  });
const lookUpAtCgc = (token: string, query = "?include=pop,images"): Promise<Response> =>
  fetch(`${setting("CGC_API_URL")}/cards/certifications/v3/lookup/6016747097${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });

test("settings point only at this simulator", () => {
  const urls = Object.entries(simulator.settings).filter(([name]) => name.endsWith("_URL"));
  expect(urls).toHaveLength(11);
  for (const [, url] of urls) expect(new URL(url).origin).toBe(simulator.origin);
  expect(setting("IMAGE_HOSTS")).toBe(new URL(simulator.origin).host);
});

test("PSA refuses a wrong token and answers a missing one with the recorded 429", async () => {
  expect((await psa("GetByCertNumber/01020688", { authorization: "bearer wrong" })).status).toBe(401);
  const anonymous = await fetch(`${setting("PSA_API_URL")}/cert/GetByCertNumber/01020688`);
  expect(anonymous.status).toBe(429);
  expect(anonymous.headers.get("retry-after")).toBe("76216");
  expect(await anonymous.json()).toBe(
    "API calls quota exceeded! maximum admitted 100 per Day. Please contact collectors-apis@collectors.com",
  );
});

test("PSA answers unknown numbers with bare strings, none with 204, browsers with XML, Python with error 1010", async () => {
  const unknown = await psa("GetByCertNumber/12a");
  expect([unknown.status, await unknown.json()]).toEqual([404, "Certificate Number Not Found"]);
  expect((await psa("GetByCertNumber/")).status).toBe(204);
  const xml = await psa("GetByCertNumber/75444419", { accept: "text/html,application/xml;q=0.9" });
  expect(xml.headers.get("content-type")).toContain("application/xml");
  expect(await xml.text()).toMatch(/^<PublicCertificationModel .*<PrimarySigners [^>]*><d3p1:string>JOSH KASEVICH</);
  const python = await psa("GetByCertNumber/01020688", { "user-agent": "python-requests/2.32" });
  expect(python.status).toBe(403);
  expect(await python.text()).toContain("1010");
});

test("PSA's quota counts both calls, says when it resets, and is full again the next day", async () => {
  simulator.behavior.psaDailyQuota = 2;
  expect((await psa("GetByCertNumber/01020688")).status).toBe(200);
  expect((await psa("GetImagesByCertNumber/01020688")).status).toBe(200);
  const over = await psa("GetByCertNumber/01020658");
  expect(over.status).toBe(429);
  expect(await over.json()).toContain("maximum admitted 2 per Day");
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(86_000);
  simulator.behavior.renewDay();
  expect((await psa("GetByCertNumber/01020658")).status).toBe(200);
});

test("PSA's window starts with the first call and lasts 24 hours, however many calls it refuses", async () => {
  simulator.behavior.psaDailyQuota = 1;
  const begin = Date.parse("2026-11-20T23:59:00Z");
  vi.useFakeTimers({ toFake: ["Date"], now: begin });
  const secondsLater = async (seconds: number): Promise<[number, string | null]> => {
    vi.setSystemTime(begin + seconds * 1000);
    const answer = await psa("GetByCertNumber/01020688");
    return [answer.status, answer.headers.get("retry-after")];
  };
  try {
    expect(await secondsLater(0)).toEqual([200, null]);
    expect(await secondsLater(149)).toEqual([429, "86251"]);
    expect(await secondsLater(86_399)).toEqual([429, "1"]);
    expect(await secondsLater(86_400)).toEqual([200, null]);
    expect(await secondsLater(86_410)).toEqual([429, "86390"]);
  } finally {
    vi.useRealTimers();
  }
});

test("hanging calls end when their client disconnects", async () => {
  simulator.behavior.fail("psa-api", "hang");
  const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  const leaving = new AbortController();
  const clients = 20;
  const hung = Promise.allSettled(
    Array.from({ length: clients }, () => psa("GetByCertNumber/01020688", {}, leaving.signal)),
  );
  await expect.poll(() => simulator.calls.count({ fault: "hang" })).toBe(clients);
  const during = sockets();
  expect(during).toBeGreaterThanOrEqual(clients * 2);
  leaving.abort();
  const reasons = (await hung).map((call) => (call.status === "rejected" ? String(call.reason) : "answered"));
  expect(new Set(reasons)).toEqual(new Set(["AbortError: This operation was aborted"]));
  // Idle connections of earlier calls may close at any time, so the count before the calls says nothing.
  await expect.poll(() => sockets()).toBeLessThanOrEqual(during - clients * 2);
});

test("CGC's login returns a bare token that expires at the end of the day; wrong passwords and missing logins get 401", async () => {
  expect((await logIn("wrong")).status).toBe(401);
  expect((await lookUpAtCgc("none")).status).toBe(401);
  const token = await (await logIn()).text();
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect((await lookUpAtCgc(token)).status).toBe(200);
  simulator.behavior.renewDay();
  expect((await lookUpAtCgc(token)).status).toBe(401);
});

test("CGC's API omits what the query does not include by its exact name", async () => {
  const token = await (await logIn()).text();
  const body: unknown = await (await lookUpAtCgc(token, "?includeTypes=pop,images")).json();
  expect(body).toHaveProperty("grade.displayGrade", "9");
  expect(body).not.toHaveProperty("images");
  expect(body).not.toHaveProperty("population");
});

test("TAG refuses calls without its key, and its page reveals nothing about any card", async () => {
  const refused = await fetch(`${setting("TAG_API_URL")}/graded-cards/public/detail/C1240631`);
  expect([refused.status, await refused.json()]).toEqual([403, { message: "Forbidden" }]);
  const page = await (await fetch(`${setting("TAG_WEB_URL")}/card/C1240631`)).text();
  expect(page).toContain("enable JavaScript");
  expect(page).not.toContain("Regigigas");
});

test("a PSA page URL without /psa redirects to the one with it", async () => {
  const page = await fetch(`${setting("PSA_WEB_URL")}/cert/75738340`);
  expect([page.status, page.url]).toEqual([200, `${setting("PSA_WEB_URL")}/cert/75738340/psa`]);
});

test("behavior: one endpoint fails until it is reset, others keep working", async () => {
  simulator.behavior.fail("psa-web", "bot_wall");
  const walled = await fetch(`${setting("PSA_WEB_URL")}/cert/75738340/psa`);
  expect([walled.status, walled.headers.get("cf-mitigated")]).toEqual([403, "challenge"]);
  expect((await psa("GetByCertNumber/75738340")).status).toBe(200);
  simulator.behavior.heal("psa-web");
  expect((await fetch(`${setting("PSA_WEB_URL")}/cert/75738340/psa`)).status).toBe(200);
});

test("behavior: a failure rate of 1 fails every call with a 5xx", async () => {
  simulator.behavior.failureRate = 1;
  expect((await psa("GetByCertNumber/75738340")).status).toBeGreaterThanOrEqual(500);
});

test("the call log keeps endpoints and certs apart and can be cleared", async () => {
  await psa("GetByCertNumber/01020688");
  await psa("GetImagesByCertNumber/01020688");
  await psa("GetByCertNumber/01020658", { authorization: "bearer wrong" });
  const { calls } = simulator;
  expect(calls.total("psa-api")).toBe(3);
  expect(calls.count({ cert: "01020688" })).toBe(2);
  expect(calls.list({ path: "/psa-api/publicapi/cert/GetImages" }).map((call) => call.cert)).toEqual(["01020688"]);
  expect(calls.list().map((call) => call.fault)).toEqual([null, null, "refused"]);
  calls.clear();
  expect([calls.total("psa-api"), calls.count()]).toEqual([0, 0]);
});
