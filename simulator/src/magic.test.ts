import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findCgcCard } from "./cgc/cgc-cards.ts";
import { profileIdOf } from "./cardladder/profile-id.ts";
import { signIn } from "./testing/sign-in.ts";
import { findPsaCard } from "./psa/psa-cards.ts";
import cardladderQuota from "./recorded/cardladder-quota.json" with { type: "json" };
import { startSimulator, type Simulator } from "./simulator.ts";
import type { Endpoint, Fault } from "./endpoints/faults.ts";
import { MAGIC, magicCert, type Part } from "./endpoints/magic.ts";

const HUGE_BYTES = 5 * 1024 * 1024;
type Call = {
  name: string;
  company: "PSA" | "CGC" | "TAG";
  part: Part;
  endpoint: Endpoint;
  url: (cert: string) => string;
  headers: Record<string, string>;
  /** Sent as JSON by POST. */
  body?: (cert: string) => unknown;
};

let simulator: Simulator;
let cgcToken: string;
let cardladderToken: string;
beforeAll(() => start());
beforeEach(() => simulator.calls.clear());
afterAll(() => simulator.close());

async function start({ hasPlainImages } = { hasPlainImages: true }): Promise<void> {
  simulator = await startSimulator({ hasPlainImages });
  const { CGC_API_USERNAME: Username, CGC_API_PASSWORD: Password } = simulator.settings;
  const body = JSON.stringify({ Username, Password });
  const login = await fetch(`${simulator.origin}/cgc-api/auth/login/CGC`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  cgcToken = await login.text();
  cardladderToken = (await signIn(simulator)).idToken;
}

/** For tests of what the simulator remembers of earlier calls. */
async function startAgain(options?: { hasPlainImages: boolean }): Promise<void> {
  await simulator.close();
  await start(options);
}

/** Every call that a client makes about a cert. */
const CALLS: Call[] = [
  psaCall("PSA details", "api", "GetByCertNumber"),
  psaCall("PSA images", "images", "GetImagesByCertNumber"),
  {
    name: "PSA page",
    company: "PSA",
    part: "page",
    endpoint: "psa-web",
    url: (cert) => `/psa-web/cert/${cert}/psa`,
    headers: {},
  },
  {
    name: "PSA image file",
    company: "PSA",
    part: "files",
    endpoint: "psa-images",
    url: (cert) => `/psa-images/cert/${findPsaCard(cert)?.scans[0]?.imageId}/${findPsaCard(cert)?.scans[0]?.token}.jpg`,
    headers: {},
  },
  {
    name: "CGC lookup",
    company: "CGC",
    part: "api",
    endpoint: "cgc-api",
    url: (cert) => `/cgc-api/cards/certifications/v3/lookup/${cert}?include=pop,images`,
    headers: {},
  },
  {
    name: "CGC page",
    company: "CGC",
    part: "page",
    endpoint: "cgc-web",
    url: (cert) => `/cgc-web/certlookup/${cert}/`,
    headers: {},
  },
  {
    name: "CGC image file",
    company: "CGC",
    part: "files",
    endpoint: "cgc-images",
    url: (cert) => `/cgc-images${findCgcCard(cert)?.scans[0]?.path}`,
    headers: {},
  },
  {
    name: "TAG detail",
    company: "TAG",
    part: "api",
    endpoint: "tag-api",
    url: (cert) => `/tag-api/graded-cards/public/detail/${cert}`,
    headers: { "x-tag-key": "simulator-tag-key" },
  },
  {
    name: "TAG page",
    company: "TAG",
    part: "page",
    endpoint: "tag-web",
    url: (cert) => `/tag-web/card/${cert}`,
    headers: {},
  },
  {
    name: "TAG photo",
    company: "TAG",
    part: "files",
    endpoint: "tag-images",
    url: (cert) => `/tag-images/slab-images/${cert}_Slabbed_FRONT.jpg`,
    headers: {},
  },
  cardladderCall("card", "httpbuildcollectioncard", (cert) => ({ cert, grader: "psa" })),
  cardladderCall("estimate", "httpcardestimate", (cert) => ({
    profileId: profileIdOf("psa", cert),
    gradingCompany: "psa",
    condition: "g10",
  })),
  cardladderCall("sales", "httpprofilesales", (cert) => ({ cert, grader: "psa" })),
  {
    name: "CardsIQ",
    company: "PSA",
    part: "cardsiq",
    endpoint: "cardsiq",
    url: () => "/cardsiq-api/api/price-batch",
    headers: {},
    body: (cert) => [
      { cert: "98174651", grader: "psa" },
      { cert, grader: "psa" },
    ],
  },
];

function cardladderCall(name: string, path: string, dataOf: (cert: string) => object): Call {
  return {
    name: `CardLadder ${name}`,
    company: "PSA",
    part: "cardladder",
    endpoint: "cardladder",
    url: () => `/cardladder-api/${path}`,
    headers: {},
    body: (cert) => ({ data: dataOf(cert) }),
  };
}

function psaCall(name: string, part: Part, path: string): Call {
  return {
    name,
    company: "PSA",
    part,
    endpoint: "psa-api",
    url: (cert) => `/psa-api/publicapi/cert/${path}/${cert}`,
    headers: {},
  };
}

function ask(call: Call, cert: string, signal: AbortSignal | null = null): Promise<Response> {
  const body = call.body?.(cert);
  return fetch(`${simulator.origin}${call.url(cert)}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${tokenFor(call)}`, "content-type": "application/json", ...call.headers },
    redirect: "manual",
    signal,
  });
}

function tokenFor(call: Call): string | undefined {
  if (call.endpoint === "cardladder") return cardladderToken;
  if (call.endpoint === "cardsiq") return simulator.settings.CARDSIQ_API_KEY;
  return call.company === "PSA" ? simulator.settings.PSA_API_TOKEN : cgcToken;
}

type Case = { code: string; call: Call; fault: Fault; name: string };
const CASES: Case[] = Object.entries(MAGIC).flatMap(([code, { faults, variant, later }]) =>
  CALLS.flatMap((call) => {
    const fault = faults[call.part];
    const hasNoAddress = call.part === "files" && call.company !== "TAG" && variant === "no_images";
    return fault === undefined || hasNoAddress || later
      ? []
      : [{ code, call, fault, name: `…${code} ${call.name}: ${fault}` }];
  }),
);

describe("every magic cert fails as documented", () => {
  test.each(CASES)("$name", async ({ code, call, fault }) => {
    const cert = magicCert(call.company, code);
    if (fault === "hang") return expectHang(call, cert);
    if (fault === "reset") return expect(ask(call, cert)).rejects.toThrow("fetch failed");
    await EXPECTED[fault](await ask(call, cert), call, cert);
  });
});

async function expectHang(call: Call, cert: string): Promise<void> {
  const abort = new AbortController();
  const answer = ask(call, cert, abort.signal);
  const settled = expect(answer).rejects.toThrow("aborted");
  await expect.poll(() => simulator.calls.count({ endpoint: call.endpoint, cert })).toBe(1);
  abort.abort();
  await settled;
}

const expectStatus =
  (status: number) =>
  (response: Response): Promise<void> =>
    Promise.resolve(expect(response.status).toBe(status));

async function expectQuota(response: Response, retryAfter: string | null, call: Call): Promise<void> {
  if (call.endpoint === "cardladder") {
    expect([response.status, await response.json()]).toEqual([200, cardladderQuota]);
    return;
  }
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, retryAfter]);
  if (call.endpoint === "psa-api")
    expect(await response.json()).toMatch(/^API calls quota exceeded! maximum admitted \d+ per Day/);
}

const EXPECTED: Record<
  Exclude<Fault, "hang" | "reset">,
  (response: Response, call: Call, cert: string) => Promise<void>
> = {
  not_found: async (response, call) => {
    if (call.endpoint === "tag-web")
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<div id="root"></div>')]);
    else expect(response.status).toBe(call.part === "files" ? 403 : 404);
    if (call.endpoint === "psa-api") expect(await response.json()).toBe("Certificate Number Not Found");
  },
  server_error: async (response) => {
    expect([500, 502, 503]).toContain(response.status);
  },
  quota: (response, call) => expectQuota(response, "76216", call),
  quota_no_retry_after: (response, call) => expectQuota(response, null, call),
  quota_brief: (response, call) => expectQuota(response, "2", call),
  bot_wall: async (response) => {
    expect([response.status, response.headers.get("cf-mitigated"), response.headers.get("server")]).toEqual([
      403,
      "challenge",
      "cloudflare",
    ]);
    expect(await response.text()).toContain("<title>Just a moment...</title>");
  },
  browser_refused: async (response) => {
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("1010")]);
  },
  refused: (response, call) => expectStatus(call.company === "PSA" ? 401 : 403)(response),
  not_approved: expectStatus(403),
  other_cert: async (response, call, cert) => {
    const text = await response.text();
    expect([response.status, text.includes(cert)]).toEqual([200, false]);
    if (call.endpoint !== "tag-web") expect(text).toContain(`${cert.slice(0, -2)}13`);
  },
  huge: async (response) => {
    expect([response.status, (await response.arrayBuffer()).byteLength > HUGE_BYTES]).toEqual([200, true]);
  },
  redirect: async (response) => {
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      expect.stringMatching(/^http:\/\/localhost:\d+\/elsewhere\//),
    ]);
  },
  torn: async (response, call) => {
    expect(response.status).toBe(200);
    const text = await response.text();
    if (call.part === "page") expect(text).not.toContain("<dt>");
    else expect(() => void JSON.parse(text)).toThrow(SyntaxError);
  },
  html: async (response) => {
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  },
  bare_string: async (response) => {
    expect([response.status, await response.json()]).toEqual([404, expect.stringContaining("No images")]);
  },
  no_data: async (response, call) => {
    expect(response.status).toBe(200);
    const text = await response.text();
    if (call.endpoint === "psa-api")
      expect(JSON.parse(text)).toEqual({ IsValidRequest: true, ServerMessage: "No data found" });
    if (call.endpoint === "cgc-api") expect(text).toBe("null");
    if (call.endpoint === "cgc-web") expect(text).toMatch(/cannot be found/);
    if (call.endpoint === "tag-api") expect(text).toBe('{"data":null}');
  },
  invalid_number: async (response, call, cert) => {
    const body: unknown = await response.json();
    if (call.company === "PSA") expect(body).toEqual({ IsValidRequest: false, ServerMessage: "Invalid CertNo" });
    else expect(JSON.stringify(body)).toContain(cert);
  },
  empty_record: async (response, call) => {
    expect(await response.json()).toEqual({ PSA: { PSACert: {} }, CGC: {}, TAG: { data: {} } }[call.company]);
  },
  encrypted: async (response, call, cert) => {
    const text = await response.text();
    if (call.company === "TAG") expect(text).toMatch(/^[\da-f]{32}:(?:[\da-f]{32})+$/);
    else expect(text).toContain(cert);
  },
  html_as_image: async (response) => {
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "image/jpeg",
      expect.stringContaining("<script>"),
    ]);
  },
  svg_as_image: async (response) => {
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "image/svg+xml",
      expect.stringContaining("<script>"),
    ]);
  },
  lookup_error: async (response, _call, cert) => {
    const failed = { cert, grader: "psa", data: { errors: { lookup: expect.any(String) } } };
    expect([response.status, await response.json()]).toEqual([
      200,
      { results: [expect.objectContaining({ cert: "98174651" }), failed] },
    ]);
    expect(simulator.calls.list({ endpoint: "cardsiq" })).toMatchObject([{ cert: null, certs: ["98174651", cert] }]);
  },
};

test.each(["72", "73", "79"])("…%s succeeds from the second call on", async (code) => {
  await startAgain();
  const call = CALLS[0];
  if (!call) throw new Error("No call to make");
  const cert = magicCert("PSA", code);
  if (code === "73") await expectHang(call, cert);
  else expect((await ask(call, cert)).ok).toBe(false);
  expect((await ask(call, cert)).status).toBe(200);
});

test("…87 has no image and …75 has one", async () => {
  const count = async (code: string): Promise<unknown> =>
    CALLS[1] ? (await ask(CALLS[1], magicCert("PSA", code))).json() : null;
  expect(await count("87")).toEqual([]);
  expect(await count("75")).toMatchObject([{ IsFrontImage: true }]);
  expect(findCgcCard(magicCert("CGC", "87"))?.scans).toEqual([]);
});

test("…51's images work once each", async () => {
  await startAgain();
  const files = CALLS.filter(({ part }) => part === "files");
  expect(files).toHaveLength(3);
  for (const call of files) {
    const cert = magicCert(call.company, "51");
    const another = {
      ...call,
      url: () => call.url(cert).replace(/FRONT|OBV/, (side) => (side === "OBV" ? "REV" : "BACK")),
    };
    const statuses = [await ask(call, cert), await ask(call, cert), await ask(call, cert)].map(({ status }) => status);
    expect(statuses).toEqual([200, 403, 403]);
    if (call.company !== "PSA") expect((await ask(another, cert)).status).toBe(200);
  }
});

test("…50's back is its front, compressed again", async () => {
  await startAgain({ hasPlainImages: false });
  const [front, back] = await Promise.all(
    ["FRONT", "BACK"].map(async (side) => {
      const path = `/tag-images/slab-images/${magicCert("TAG", "50")}_Slabbed_${side}.jpg`;
      return Buffer.from(await (await fetch(`${simulator.origin}${path}`)).arrayBuffer());
    }),
  );
  const brightness = async (image: Buffer | undefined): Promise<Buffer> =>
    sharp(image).greyscale().resize(8, 8, { fit: "fill" }).raw().toBuffer();
  const [one, other] = [await brightness(front), await brightness(back)];
  expect(front?.equals(back ?? Buffer.alloc(0))).toBe(false);
  expect(Math.max(...one.map((field, index) => Math.abs(field - (other[index] ?? 0))))).toBeLessThan(4);
});

test("a request that follows the redirect to another host is logged", async () => {
  await fetch(`${simulator.origin}/psa-web/cert/${magicCert("PSA", "98")}/psa`);
  expect(simulator.calls.total("elsewhere")).toBe(1);
});

test("README.md's table matches the code", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const rows = [...readme.matchAll(/^\| (\d\d) \|(.*)\|$/gm)].map(([, code = "", cells = ""]) => {
    const [api, images, page, files, cardladder, cardsiq, also] = cells
      .split("|")
      .map((cell) => cell.replaceAll("`", "").trim());
    return [code, { api, images, page, files, cardladder, cardsiq, also }];
  });
  const code = Object.entries(MAGIC).map(([digits, { faults, once, later, variant }]) => [
    digits,
    {
      api: faults.api ?? "",
      images: faults.images ?? "",
      page: faults.page ?? "",
      files: faults.files ?? "",
      cardladder: faults.cardladder ?? "",
      cardsiq: faults.cardsiq ?? "",
      also: once ? "once" : later ? "later" : (variant ?? ""),
    },
  ]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(code));
});
