import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { magicCert } from "./endpoints/magic.ts";
import recordedCard from "./recorded/cardladder-card.json" with { type: "json" };
import recordedEstimate from "./recorded/cardladder-estimate.json" with { type: "json" };
import recordedQuota from "./recorded/cardladder-quota.json" with { type: "json" };
import { startSimulator, type Simulator } from "./simulator.ts";
import { profileIdOf, slabOfProfile } from "./cardladder/profile-id.ts";
import { askSignIn, signIn, tokensIn } from "./testing/sign-in.ts";

let simulator: Simulator;
let token: string;
beforeEach(async () => {
  simulator = await startSimulator({ hasPlainImages: true });
  token = (await signIn(simulator)).idToken;
});
afterEach(() => simulator.close());

const ask = (name: string, data: object, idToken = token): Promise<Response> =>
  fetch(`${simulator.settings.CARDLADDER_API_URL}/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${idToken}`, "content-type": "application/json" },
    body: JSON.stringify({ data }),
  });
const resultOf = async (name: string, data: object): Promise<unknown> => {
  const body: unknown = await (await ask(name, data)).json();
  return typeof body === "object" && body !== null && "result" in body ? body.result : body;
};
const card = (cert: string, grader = "psa"): Promise<unknown> => resultOf("httpbuildcollectioncard", { cert, grader });
const estimate = (cert: string, condition: string, grader = "psa"): Promise<unknown> =>
  resultOf("httpcardestimate", { profileId: profileIdOf(grader, cert), gradingCompany: grader, condition });
const sales = (cert: string, more: object = {}): Promise<unknown> =>
  resultOf("httpprofilesales", { cert, grader: "psa", ...more });
const refresh = (refreshToken: string): Promise<Response> =>
  fetch(`${simulator.settings.CARDLADDER_TOKEN_URL}/v1/token?key=${simulator.settings.CARDLADDER_WEB_KEY}`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }),
  });

test("can take the second argument set only, and refuse a company", async () => {
  const cert = recordedCard.result.slabSerial;
  const profileId = profileIdOf("psa", cert);
  const second = { profileId, grader: "psa", grade: "g8", qualifierType: null, autographGrade: null };
  const refused = { error: { status: "INVALID_ARGUMENT" } };
  expect(await resultOf("httpcardestimate", second)).toMatchObject(refused);
  simulator.behavior.cardladder = { argumentSet: "grade", refused: ["cgc"] };
  expect(await resultOf("httpcardestimate", second)).toMatchObject({ estimatedValue: expect.any(Number) as unknown });
  expect(await estimate(cert, "g8")).toMatchObject(refused);
  expect(await card("6016747097", "cgc")).toMatchObject(refused);
});

describe("signing in", () => {
  test.each([
    ["email", { email: "someone@simulator.invalid" }, undefined],
    ["password", { password: "wrong" }, undefined],
    ["key", {}, "wrong"],
  ])("a wrong %s is refused", async (_name, fields, key) => {
    const answer = await askSignIn(simulator, fields, key);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { message: "INVALID_LOGIN_CREDENTIALS" } },
    ]);
  });

  test("issues tokens for an hour", async () => {
    const answer: unknown = await (await askSignIn(simulator)).json();
    expect(answer).toMatchObject({ idToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), expiresIn: "3600" });
    expect(await (await askSignIn(simulator, { returnSecureToken: false })).json()).not.toHaveProperty("idToken");
  });

  test("a refresh token returns its successor and then stops working", async () => {
    const first = await signIn(simulator);
    const answer = await refresh(first.refreshToken);
    const next = tokensIn(await answer.json(), "id_token", "refresh_token");
    expect(next.refreshToken).not.toBe(first.refreshToken);
    expect((await ask("httpprofilesales", { cert: "98174651", grader: "psa" }, next.idToken)).status).toBe(200);
    const again = await refresh(first.refreshToken);
    expect([again.status, await again.json()]).toMatchObject([400, { error: { message: "INVALID_REFRESH_TOKEN" } }]);
    expect((await refresh(next.refreshToken)).status).toBe(200);
  });

  test("sign-ins and refreshes are counted, including failed ones", async () => {
    simulator.calls.clear();
    const { refreshToken } = await signIn(simulator);
    simulator.behavior.fail("cardladder-sign-in", "quota");
    expect((await refresh(refreshToken)).status).toBe(400);
    expect(await (await askSignIn(simulator)).json()).toMatchObject({
      error: { message: "TOO_MANY_ATTEMPTS_TRY_LATER" },
    });
    expect(simulator.calls.list({ endpoint: "cardladder-sign-in" }).map(({ fault, cert }) => [fault, cert])).toEqual([
      [null, null],
      ["quota", null],
      ["quota", null],
    ]);
    expect(simulator.calls.count({ path: "/cardladder-auth" })).toBe(2);
  });

  test("an id token expires after an hour and at the end of the day", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const statusOf = async (): Promise<number> => (await ask("httpprofilesales", { cert: "1", grader: "psa" })).status;
    try {
      vi.setSystemTime(Date.now() + 3_599_000);
      token = (await signIn(simulator)).idToken;
      expect(await statusOf()).toBe(200);
      vi.setSystemTime(Date.now() + 3_600_000);
      expect(await statusOf()).toBe(401);
    } finally {
      vi.useRealTimers();
    }
    token = (await signIn(simulator)).idToken;
    expect(await statusOf()).toBe(200);
    simulator.behavior.renewDay();
    expect(await statusOf()).toBe(401);
  });
});

describe("the functions", () => {
  test("return the recorded answers", async () => {
    expect(await card("69145695")).toEqual(recordedCard.result);
    expect(await estimate("154284805", "g10")).toEqual(recordedEstimate);
    expect(await card("154284805")).toMatchObject({ year: "2016", grade: "g10", player: "Poncho-Wear. Pikachu" });
    const recorded = { profileId: "psa-1813135", gradingCompany: "psa", condition: "g8" };
    expect(await resultOf("httpcardestimate", recorded)).toMatchObject({ estimatedValue: expect.any(Number) });
  });

  test.each([
    ["psa", "98174651"],
    ["psa", "00012345"],
    ["cgc", "6016747097"],
    ["tag", "C1240631"],
  ])("know the card of %s %s, and its estimate by profile", async (grader, cert) => {
    const built = await card(cert, grader);
    const profileId = profileIdOf(grader, cert);
    expect(slabOfProfile(profileId)).toEqual({ grader, certNumber: cert });
    expect(built).toMatchObject({ profileId, slabSerial: cert, grade: expect.stringMatching(/^g\d+(?:\.5)?$/) });
    const grade = typeof built === "object" && built !== null && "grade" in built ? String(built.grade) : "";
    expect(await estimate(cert, grade, grader)).toMatchObject({ estimatedValue: expect.any(Number), grader });
  });

  test("refuse a call without a token or without its data", async () => {
    const refused = await ask("httpbuildcollectioncard", { cert: "98174651", grader: "psa" }, "none");
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: { status: "UNAUTHENTICATED" } }]);
    expect(simulator.calls.list({ endpoint: "cardladder" })).toMatchObject([{ cert: "98174651", fault: "refused" }]);
    const lacking = await ask("httpcardestimate", { profileId: "psa-1813135", condition: "g8" });
    expect([lacking.status, await lacking.json()]).toEqual([
      200,
      { error: { message: "Missing request data", status: "INVALID_ARGUMENT" } },
    ]);
  });

  test("have no value for the old key, another grade or form, or an unknown card", async () => {
    const old = { gemRateId: "psa-1813135", gradingCompany: "psa", condition: "g8" };
    for (const answer of [resultOf("httpcardestimate", old), estimate("69145695", "g9"), estimate("69145695", "PSA 8")])
      expect(await answer).toEqual({ estimatedValue: null });
    expect(await estimate("123", "g8")).toBeNull();
    for (const answer of [card("12"), card("98174651", "bgs"), sales("12")]) expect(await answer).toBeNull();
  });

  test("list sales newest first, or in the requested order", async () => {
    const newest = await sales("154284805", { limit: 5, sort: "date", direction: "desc" });
    expect(newest).toEqual({ sales: expect.any(Array) });
    const datesOf = (text: string): string[] => [...text.matchAll(/"date":"([^"]+)"/g)].map(([, date = ""]) => date);
    const [dates, all, rising] = [newest, await sales("154284805"), await sales("154284805", { direction: "asc" })].map(
      (result) => datesOf(JSON.stringify(result)),
    );
    expect(all).toHaveLength(recordedEstimate.oneQuarterData.velocity);
    expect(all).toEqual(rising?.toReversed());
    expect(all).toEqual(rising?.toSorted().toReversed());
    expect(dates).toEqual(all?.slice(0, 5));
  });
});

describe("magic certs", () => {
  test.each([
    ["PSA", "8"],
    ["CGC", "9"],
    ["TAG", "8"],
  ] as const)("%s 66 has an estimate only in the underscore form", async (company, whole) => {
    const [cert, grader] = [magicCert(company, "66"), company.toLowerCase()];
    expect(await card(cert, grader)).toMatchObject({ grade: `g${whole}.5` });
    expect(await estimate(cert, `g${whole}.5`, grader)).toEqual({ estimatedValue: null });
    expect(await estimate(cert, `g${whole}_5`, grader)).toMatchObject({ estimatedValue: expect.any(Number) });
  });

  test("60 is no card, 61 has no sales, 62 has no value", async () => {
    const [none, unsold, unpriced] = ["60", "61", "62"].map((code) => magicCert("PSA", code));
    expect(await card(none ?? "")).toBeNull();
    expect(await card(unsold ?? "")).not.toBeNull();
    expect(await sales(unsold ?? "")).toEqual({ sales: [] });
    expect(await sales(unpriced ?? "", { limit: 1 })).toEqual({
      sales: [expect.objectContaining({ platform: expect.any(String) })],
    });
    expect(await card(unpriced ?? "")).toMatchObject({ grade: "g10" });
    expect(await estimate(unpriced ?? "", "g10")).toMatchObject({
      estimatedValue: null,
      oneYearData: expect.any(Object),
    });
  });
});

describe("configured failures", () => {
  const build = (): Promise<Response> => ask("httpbuildcollectioncard", { cert: "98174651", grader: "psa" });

  test("quota is the daily limit with status 200, quota_brief a 429 with Retry-After", async () => {
    simulator.behavior.fail("cardladder", "quota");
    const over = await build();
    expect([over.status, over.headers.get("retry-after"), await over.json()]).toEqual([200, null, recordedQuota]);
    simulator.behavior.fail("cardladder", "quota_brief");
    const brief = await build();
    expect([brief.status, brief.headers.get("retry-after")]).toEqual([429, "2"]);
  });

  test.each([
    ["server_error", 500],
    ["refused", 401],
    ["html", 200],
    ["torn", 200],
  ] as const)("%s has status %i and no result", async (fault, status) => {
    simulator.behavior.fail("cardladder", fault);
    const answer = await build();
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toMatch(/^\{"result":.*\}$/);
    expect(simulator.calls.count({ endpoint: "cardladder", fault })).toBe(1);
    simulator.behavior.heal();
    expect(await (await build()).json()).toHaveProperty("result.slabSerial", "98174651");
  });
});

test("new price requests follow the market's factor at both sources", async () => {
  const cert = "52007919";
  const cardsiq = async (): Promise<unknown> =>
    (
      await fetch(`${simulator.settings.CARDSIQ_API_URL}/api/price-batch`, {
        method: "POST",
        headers: { authorization: `Bearer ${simulator.settings.CARDSIQ_API_KEY}`, "content-type": "application/json" },
        body: JSON.stringify([{ cert, grader: "psa" }]),
      })
    ).json();
  const answers = (own: number, other: number): object[] => [
    { estimatedValue: own },
    { results: [{ data: { valuation: { estimatedValue: other } } }] },
  ];
  expect([await estimate(cert, "g9"), await cardsiq()]).toMatchObject(answers(436, 428));
  simulator.behavior.marketFactor = 1.25;
  expect([await estimate(cert, "g9"), await cardsiq()]).toMatchObject(answers(545, 535));
});
