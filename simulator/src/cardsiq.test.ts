import { afterEach, beforeEach, expect, test } from "vitest";
import { magicCert } from "./endpoints/magic.ts";
import { startSimulator, type Simulator } from "./simulator.ts";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator({ hasPlainImages: true });
});
afterEach(() => simulator.close());

const ask = (body: unknown, key = simulator.settings.CARDSIQ_API_KEY): Promise<Response> =>
  fetch(`${simulator.settings.CARDSIQ_API_URL}/api/price-batch`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const psa = (...certs: string[]): { cert: string; grader: string }[] => certs.map((cert) => ({ cert, grader: "psa" }));
const many = (count: number): { cert: string; grader: string }[] =>
  psa(...Array.from({ length: count }, (_, index) => String(70_000_000 + index * 37)));

test("answers a batch in order, and logs it as one call with all its certs", async () => {
  const batch = [...psa("154284805"), { cert: "C1240631", grader: "tag" }];
  expect(await (await ask(batch)).json()).toEqual({
    results: batch.map((asked) => ({
      ...asked,
      data: expect.objectContaining({
        certification: { label: expect.any(String) },
        valuation: { estimatedValue: expect.any(Number), lastSalePrice: expect.any(Number), confidence: 5 },
        cardsiq: { requiresReview: expect.any(Boolean) },
      }),
    })),
  });
  expect(simulator.calls.list()).toMatchObject([
    { endpoint: "cardsiq", cert: null, certs: ["154284805", "C1240631"], fault: null },
  ]);
  expect([simulator.calls.count({ cert: "C1240631" }), simulator.calls.count({ cert: "C1240632" })]).toEqual([1, 0]);
});

test("refuses a wrong key, a body without a list of certs, and too many certs", async () => {
  expect((await ask(psa("98174651"), "wrong")).status).toBe(401);
  for (const body of [
    { cert: "98174651", grader: "psa" },
    [{ cert: 98_174_651, grader: "psa" }],
    ["98174651"],
    many(101),
  ])
    expect((await ask(body)).status).toBe(400);
  expect((await ask(many(100))).status).toBe(200);
  expect(simulator.calls.list().map(({ fault }) => fault)).toEqual([...Array<string>(5).fill("refused"), null]);
});

test("returns nothing for unknown certs, and nulls for cards without a price", async () => {
  expect(await (await ask([{ cert: "98174651", grader: "bgs" }, ...psa("12", magicCert("PSA", "60"))])).json()).toEqual(
    {
      results: [
        { cert: "98174651", grader: "bgs", data: null },
        { cert: "12", grader: "psa", data: null },
        expect.objectContaining({
          data: expect.objectContaining({ valuation: { estimatedValue: null, lastSalePrice: null, confidence: null } }),
        }),
      ],
    },
  );
});

test("varies the optional parts", async () => {
  const text = await (await ask(many(100))).text();
  const results = text.split('{"cert":').slice(1);
  const share = (has: (result: string) => boolean): number => results.filter(has).length / results.length;
  for (const part of ['"market"', '"errors":{}', '"image"', '"thumbnail"', '"requiresReview":true'])
    for (const isThere of [true, false])
      expect([part, share((result) => result.includes(part) === isThere)]).toEqual([
        part,
        expect.toSatisfy((found: number) => found > 0.03),
      ]);
  for (const result of results) expect(result.split('"date"').length - 1).toBeLessThanOrEqual(10);
});

test("a failed lookup spoils one result, once for 67", async () => {
  const [once, always] = [magicCert("PSA", "67"), magicCert("PSA", "68")];
  const failed = expect.objectContaining({ data: { errors: { lookup: expect.any(String) } } });
  const priced = expect.objectContaining({ data: expect.objectContaining({ valuation: expect.any(Object) }) });
  const batch = psa("98174651", once, always);
  expect(await (await ask(batch)).json()).toEqual({ results: [priced, failed, failed] });
  expect(await (await ask(batch)).json()).toEqual({ results: [priced, priced, failed] });
});

test("an exceeded quota is a 429 with Retry-After", async () => {
  simulator.behavior.fail("cardsiq", "quota");
  const over = await ask(psa("98174651"));
  expect([over.status, over.headers.get("retry-after")]).toEqual([429, "76216"]);
  simulator.behavior.fail("cardsiq", "lookup_error");
  expect(await (await ask(psa("98174651"))).json()).toHaveProperty("results.0.data.errors.lookup");
});

test("chaos depends on the batch, not on the order of batches", async () => {
  const fates = async (certs: readonly string[]): Promise<Record<string, number>> => {
    const fresh = await startSimulator({ hasPlainImages: true, seed: "batches", chaos: { server_error: 0.5 } });
    const answers: [string, number][] = [];
    for (const cert of certs) {
      const { CARDSIQ_API_URL, CARDSIQ_API_KEY } = fresh.settings;
      const headers = { authorization: `Bearer ${CARDSIQ_API_KEY}`, "content-type": "application/json" };
      const body = JSON.stringify(psa(cert));
      answers.push([
        cert,
        (await fetch(`${CARDSIQ_API_URL}/api/price-batch`, { method: "POST", headers, body })).status,
      ]);
    }
    await fresh.close();
    return Object.fromEntries(answers.map(([cert, status]) => [cert, Number(status >= 500)]));
  };
  const certs = many(12).map(({ cert }) => cert);
  const drawn = await fates(certs);
  expect(await fates(certs.toReversed())).toEqual(drawn);
  expect(new Set(Object.values(drawn))).toEqual(new Set([0, 1]));
});
