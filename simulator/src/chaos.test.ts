import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { signIn } from "./testing/sign-in.ts";
import { startSimulator, type Simulator } from "./simulator.ts";
import { CHAOS_FAULTS, Chaos, type ChaosFault } from "./endpoints/chaos.ts";

const certs = (count: number): string[] => Array.from({ length: count }, (_, index) => String(70_000_000 + index * 37));

describe("the random draw", () => {
  const draw = (chaos: Chaos, paths: readonly string[]): (ChaosFault | null)[] =>
    paths.map((path) => chaos.draw({ endpoint: "psa-api", path }));

  test("gives each fault its share of the calls", () => {
    const faults = draw(new Chaos("shares", { hang: 0.1, torn: 0.3 }), certs(5_000));
    const shareOf = (fault: ChaosFault | null): number => faults.filter((drawn) => drawn === fault).length / 5_000;
    expect(shareOf("hang")).toBeCloseTo(0.1, 1);
    expect(shareOf("torn")).toBeCloseTo(0.3, 1);
    expect(shareOf("hang") + shareOf("torn") + shareOf(null)).toBe(1);
  });

  test("is the same for the n-th call of an address, in any order of calls", () => {
    const mix = { reset: 0.5 };
    const twice = [...certs(50), ...certs(50)];
    const [first, again] = [new Chaos("order", mix), new Chaos("order", mix)];
    const asked = draw(first, twice);
    expect(draw(again, twice.toSorted())).toEqual(certs(50).flatMap((_, index) => [asked[index], asked[index + 50]]));
    expect(asked.slice(0, 50)).not.toEqual(asked.slice(50));
    expect(draw(new Chaos("another", mix), twice)).not.toEqual(asked);
  });

  test.each([{ hang: -0.1 }, { hang: 1.1 }, { hang: 0.6, torn: 0.6 }, { hang: Number.NaN }])("refuses %o", (mix) => {
    expect(() => new Chaos("seed", mix)).toThrow(RangeError);
  });

  test("accepts shares that are not exact fractions", () => {
    const tenth = CHAOS_FAULTS.slice(0, 10).map((fault) => [fault, 0.1] as const);
    expect(draw(new Chaos("tenths", Object.fromEntries(tenth)), certs(100))).not.toContain(null);
  });
});

describe("the simulator", () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator({ hasPlainImages: true, seed: "chaos", chaos: { server_error: 0.4 } });
  });
  afterEach(() => simulator.close());

  const askPsa = async (path: string): Promise<Response> =>
    fetch(`${simulator.settings.PSA_API_URL}/cert/${path}`, {
      headers: { authorization: `bearer ${simulator.settings.PSA_API_TOKEN}`, accept: "application/json" },
    });

  test("logs each call with its fault", async () => {
    const answers = await Promise.all(
      certs(100).map(async (cert) => [cert, await askPsa(`GetByCertNumber/${cert}`)] as const),
    );
    for (const [cert, answer] of answers) {
      const fault = answer.status === 500 ? "server_error" : null;
      expect([cert, simulator.calls.list({ cert }).map((call) => call.fault)]).toEqual([cert, [fault]]);
    }
    const failed = answers.filter(([, answer]) => !answer.ok).length;
    expect(simulator.calls.count({ fault: "server_error" })).toBe(failed);
    expect(failed).toBeGreaterThan(10);
    expect(failed).toBeLessThan(90);
  });

  test("exempts images and logins, and stops when set to null", async () => {
    simulator.behavior.chaos({ server_error: 1 });
    const photo = await fetch(`${simulator.settings.TAG_IMAGE_URL}/slab-images/C1240631_Slabbed_FRONT.jpg`);
    expect(photo.status).toBe(200);
    const { CGC_API_USERNAME: Username, CGC_API_PASSWORD: Password } = simulator.settings;
    const login = await fetch(`${simulator.settings.CGC_API_URL}/auth/login/CGC`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ Username, Password }),
    });
    expect(login.status).toBe(200);
    expect((await askPsa("GetByCertNumber/01020688")).status).toBe(500);
    simulator.behavior.chaos(null);
    expect((await askPsa("GetByCertNumber/01020688")).status).toBe(200);
  });

  test.each(CHAOS_FAULTS.filter((fault) => fault !== "hang" && fault !== "reset"))(
    "%s reveals nothing about the certificate at any endpoint",
    async (fault) => {
      simulator.behavior.chaos({ [fault]: 1 });
      const post = (url: string, token: string | undefined, body: unknown): Promise<Response> =>
        fetch(`${simulator.origin}${url}`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      const price = { cert: "70000013", grader: "psa" };
      const { idToken } = await signIn(simulator);
      const answers = await Promise.all([
        askPsa("GetByCertNumber/70000013"),
        fetch(`${simulator.settings.PSA_WEB_URL}/cert/70000013/psa`),
        fetch(`${simulator.settings.CGC_WEB_URL}/certlookup/6016747013/`),
        fetch(`${simulator.settings.TAG_API_URL}/graded-cards/public/detail/C1240613`, {
          headers: { "x-tag-key": simulator.settings.TAG_API_KEY ?? "" },
        }),
        post("/cardladder-api/httpbuildcollectioncard", idToken, { data: price }),
        post("/cardsiq-api/api/price-batch", simulator.settings.CARDSIQ_API_KEY, [price]),
      ]);
      expect(simulator.calls.count({ fault })).toBe(answers.length);
      for (const answer of answers) expect(answer.status).not.toBe(404);
      if (fault === "other_cert")
        for (const answer of answers) expect(await answer.text()).not.toMatch(/70000013|6016747013|C1240613/);
    },
  );
});
