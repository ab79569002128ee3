import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { magicCert } from "../endpoints/magic.ts";
import { findMarket, type Market } from "./market.ts";
import { windowOf } from "./sales.ts";
import { findSlab } from "./slab.ts";

const DAY_MS = 86_400_000;
const CERTS = Array.from({ length: 400 }, (_, index) => String(30_000_000 + index * 53_017));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-20T13:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

const marketsOf = (certs: readonly string[]): Market[] =>
  certs.map((cert) => findMarket("psa", cert)).filter((market) => market !== null);

describe("the slab", () => {
  test("is the grader's card, worded differently", () => {
    expect(findSlab("psa", "69145695")).toMatchObject({ year: "2019", player: "Pikachu-Holo", grade: 8 });
    expect(findSlab("cgc", "6016747097")).toMatchObject({ year: "2024", player: "Persian", grade: 9 });
    expect(findSlab("tag", "C1240631")).toMatchObject({ year: "2008", player: "Regigigas", grade: 7 });
  });

  test.each([
    ["psa", "12"],
    ["PSA", "98174651"],
    ["bgs", "98174651"],
  ])("of %s %s is unknown", (grader, cert) => {
    expect(findSlab(grader, cert)).toBeNull();
  });
});

describe("the market", () => {
  test("is missing for a few percent of the cards", () => {
    const without = CERTS.length - marketsOf(CERTS).length;
    expect(without).toBeGreaterThan(8);
    expect(without).toBeLessThan(36);
  });

  test("has cards of a few dollars and of thousands, and two estimates close together or 38 % apart", () => {
    const markets = marketsOf(CERTS);
    const estimates = markets.map(({ estimate }) => estimate ?? 0);
    expect(Math.min(...estimates)).toBeLessThan(5);
    expect(Math.max(...estimates)).toBeGreaterThan(2000);
    for (const { estimate, otherEstimate, isApart } of markets) {
      const [lower = 0, higher = 0] = [estimate ?? 0, otherEstimate ?? 0].toSorted((one, other) => one - other);
      if (isApart) expect(higher / lower - 1).toBeCloseTo(0.38, 10);
      else expect(higher / lower - 1).toBeLessThan(0.1);
    }
  });

  test("rises, falls, or stays flat, with few or many sales, and with outliers", () => {
    const markets = marketsOf(CERTS);
    const courses = markets.map(({ sales }) => {
      const since = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
      const recent = sales.filter(({ date }) => date >= since(15)).map(({ price }) => price);
      const earlier = sales.filter(({ date }) => date < since(15) && date >= since(30)).map(({ price }) => price);
      if (recent.length < 2 || earlier.length < 2) return "few";
      const change = median(recent) / median(earlier) - 1;
      return change > 0.05 ? "up" : change < -0.05 ? "down" : "flat";
    });
    for (const course of ["up", "down", "flat", "few"])
      expect([course, courses.filter((one) => one === course).length]).toEqual([
        course,
        expect.toSatisfy((count: number) => count > 30),
      ]);
    const outliers = markets.filter(({ sales, estimate }) => sales.some(({ price }) => price > 1.9 * (estimate ?? 0)));
    expect(outliers.length).toBeGreaterThan(20);
  });

  test("is the same all day, and sales age by a day each day", () => {
    const cert = "154284805";
    const agesOf = (market: Market | null): number[] | undefined =>
      market?.sales.map(({ date }) => Math.floor(Date.now() / DAY_MS) * DAY_MS - Date.parse(date));
    const before = findMarket("psa", cert);
    const ages = agesOf(before);
    vi.setSystemTime(Date.parse("2026-11-20T23:59:00Z"));
    expect(findMarket("psa", cert)).toEqual(before);
    vi.setSystemTime(Date.parse("2026-11-21T00:01:00Z"));
    expect(agesOf(findMarket("psa", cert))).toEqual(ages);
    expect(ages?.every((age) => age > 0 && age < 120 * DAY_MS)).toBe(true);
  });

  test("scaled by a factor has the same cards and sales at other prices", () => {
    for (const cert of ["52007919", "154284805"]) {
      const market = findMarket("psa", cert);
      const risen = findMarket("psa", cert, 2);
      expect(risen?.estimate).toBe((market?.estimate ?? 0) * 2);
      expect(risen?.sales.map(({ price }) => price)).toEqual(
        market?.sales.map(({ price }) => Math.round(price * 200) / 100),
      );
      expect(risen?.sales.map(({ date }) => date)).toEqual(market?.sales.map(({ date }) => date));
    }
    expect(findMarket("psa", magicCert("PSA", "60"), 1.25)).toBeNull();
  });

  test("has no sale that leaves a window of 15 or 30 days during a day", () => {
    const counts = (): number[] =>
      marketsOf(CERTS.slice(0, 100)).flatMap(({ sales }) => [15, 30].map((days) => windowOf(sales, days).velocity));
    vi.setSystemTime(Date.parse("2026-11-20T00:00:00Z"));
    const morning = counts();
    vi.setSystemTime(Date.parse("2026-11-20T23:59:59Z"));
    expect(counts()).toEqual(morning);
  });

  test("of the recorded card has about its recorded values", () => {
    const { estimate = null, sales = [] } = findMarket("psa", "154284805") ?? {};
    const windows = [14, 30, 91].map((days) => windowOf(sales, days));
    expect([estimate, sales[0]?.price, ...windows.map(({ velocity }) => velocity)]).toEqual([
      15_600, 15_600, 7, 12, 34,
    ]);
    for (const [index, recorded] of [16_732.71, 16_359.83, 15_279.01].entries())
      expect(Math.abs((windows[index]?.averagePrice ?? 0) / recorded - 1)).toBeLessThan(0.05);
  });

  test.each(["PSA", "CGC", "TAG"] as const)("of %s's magic certs is as documented", (company) => {
    const of = (code: string): Market | null => findMarket(company.toLowerCase(), magicCert(company, code));
    for (const code of ["60", "88", "90"]) expect(of(code)).toBeNull();
    expect(of("61")).toMatchObject({ estimate: expect.any(Number), sales: [] });
    expect(of("62")).toMatchObject({ estimate: null, otherEstimate: null, sales: expect.arrayContaining([]) });
    expect(of("62")?.sales).not.toEqual([]);
    const { estimate, otherEstimate } = of("69") ?? {};
    const [lower = 0, higher = 0] = [estimate ?? 0, otherEstimate ?? 0].toSorted((one, other) => one - other);
    expect(Math.round(higher * 100)).toBe(Math.round(lower * 138));
  });
});

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]];
  return (low + high) / 2;
}
