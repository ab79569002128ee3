import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { METRICS, offerRuleSchema } from "../api/prices.ts";
import type { OfferRule, PriceMetric } from "../api/prices.ts";
import { DEFAULT_OFFER_RULE, metricOf, offerOf, type PricedRow, ruleOfferOf } from "./buy-offer.ts";

type Row = PricedRow;

const priced = (metrics: Partial<NonNullable<Row["pricing"]>>, cardsiq: number | null = null): Row => ({
  pricing: { cardladderEstimate: null, averagePrice: null, medianPrice: null, lastSalePrice: null, ...metrics },
  cardsiq: cardsiq === null ? null : { estimatedValue: cardsiq },
});
const ALL = priced({ cardladderEstimate: 50, averagePrice: 40, medianPrice: 30, lastSalePrice: 60 }, 20);

describe("metricOf", () => {
  it.each<[PriceMetric, Row, number | null]>([
    ["cardladderEstimate", ALL, 50],
    ["averagePrice", ALL, 40],
    ["medianPrice", ALL, 30],
    ["lastSalePrice", ALL, 60],
    ["cardsiqEstimate", ALL, 20],
    ["lowest", ALL, 20],
    ["lowest", priced({ averagePrice: 40, lastSalePrice: 60 }), 40],
    ["lowest", priced({ averagePrice: 40, medianPrice: 0 }), 40],
    ["lowest", { pricing: null, cardsiq: { estimatedValue: 7 } }, 7],
    ["lowest", priced({}), null],
    ["medianPrice", priced({ medianPrice: 0 }), null],
    ["medianPrice", { pricing: null, cardsiq: null }, null],
    ["cardsiqEstimate", priced({ medianPrice: 5 }), null],
  ])("%s of %j is %j", (metric, row, expected) => {
    expect(metricOf(metric, row)).toBe(expected);
  });
});

describe("ruleOfferOf", () => {
  const rule = (change: Partial<OfferRule>): OfferRule => ({ ...DEFAULT_OFFER_RULE, ...change });
  const only = (percent: number): OfferRule["tiers"] => [{ from: 0, percent }];

  it.each<[string, Partial<OfferRule>, number, number | null]>([
    ["60 % of $99.99 is 59.994", {}, 99.99, 59],
    ["a tier begins at its amount", {}, 100, 70],
    ["75 % from $500 on", {}, 500, 375],
    ["a cent below it, 70 %", {}, 499.99, 349],
    ["80 % from $2,000 on", {}, 2000, 1600],
    ["rounded down, little is nothing", {}, 1, 0],
    ["to the cent", { roundTo: 0.01 }, 99.99, 59.99],
    ["to the nearest cent", { roundTo: 0.01, rounding: "nearest", tiers: only(62.5) }, 0.1, 0.06],
    ["half a cent is rounded up", { roundTo: 0.01, rounding: "nearest", tiers: only(50) }, 0.03, 0.02],
    ["a trace under half is rounded down", { roundTo: 10, rounding: "nearest", tiers: only(49.9999) }, 10, 0],
    ["half a step is rounded up", { roundTo: 10, rounding: "nearest", tiers: only(50) }, 10, 10],
    ["quarters", { roundTo: 0.25, tiers: only(60) }, 1.45, 0.75],
    ["fives", { roundTo: 5, rounding: "nearest", tiers: only(60) }, 12.5, 10],
    ["percent with decimals", { roundTo: 0.01, tiers: only(4.35) }, 100, 4.35],
    ["the whole", { roundTo: 0.01, tiers: only(100) }, 4.35, 4.35],
    ["nothing", { tiers: only(0) }, 100, 0],
    ["below all tiers", { tiers: [{ from: 20, percent: 50 }] }, 19.99, null],
    ["tiers that begin alike", { tiers: [...only(70), ...only(50)] }, 100, 50],
    ["the dearest card there is", { roundTo: 0.01, tiers: only(33.3333) }, 9_999_999_999.99, 3_333_329_999.99],
  ])("%s", (_, change, median, expected) => {
    expect(ruleOfferOf(rule(change), priced({ medianPrice: median }))).toBe(expected);
  });

  it("is null if the card lacks the metric", () => {
    expect(ruleOfferOf(rule({ metric: "cardsiqEstimate" }), priced({ medianPrice: 100 }))).toBeNull();
  });

  it("has a default rule that can be stored", () => {
    expect(offerRuleSchema.parse(DEFAULT_OFFER_RULE)).toEqual(DEFAULT_OFFER_RULE);
  });
});

describe("offerOf", () => {
  it.each([
    ["the row's own offer replaces the rule's", DEFAULT_OFFER_RULE, 12.5, 12.5],
    ["an own offer needs no rule", null, 12.5, 12.5],
    ["an own offer of 0 is an offer", DEFAULT_OFFER_RULE, 0, 0],
    ["without one, the rule applies", DEFAULT_OFFER_RULE, null, 70],
    ["without both, there is none", null, null, null],
  ])("%s", (_, rule, ownOffer, expected) => {
    expect(offerOf(rule, { ...priced({ medianPrice: 100 }), ownOffer })).toBe(expected);
  });
});

describe("for any rule,", () => {
  const tier = fc.record({ from: fc.nat(3000), percent: fc.integer({ min: 0, max: 10_000 }).map((one) => one / 100) });
  const anyRule = fc.record({
    metric: fc.constantFrom(...METRICS),
    tiers: fc.array(tier, { minLength: 1, maxLength: 10 }),
    roundTo: fc.constantFrom<OfferRule["roundTo"][]>(0.01, 0.25, 0.5, 1, 5, 10),
    rounding: fc.constantFrom<OfferRule["rounding"][]>("down", "nearest"),
  });
  const anyCents = fc.oneof(fc.integer({ min: 1, max: 500_000 }), fc.integer({ min: 1, max: 1e12 }));
  const inAll = (cents: number): Row => {
    const dollars = cents / 100;
    const all = { cardladderEstimate: dollars, averagePrice: dollars, medianPrice: dollars, lastSalePrice: dollars };
    return priced(all, dollars);
  };
  /** The exact share in millionths of a cent: cents times hundredths of a percent times 100. */
  const exactly = (cents: number, percent: number): bigint => BigInt(cents) * BigInt(Math.round(percent * 100)) * 100n;

  it("an offer is a multiple of the step, rounded as the rule says", () => {
    fc.assert(
      fc.property(anyRule, anyCents, (rule, cents) => {
        const offer = ruleOfferOf(rule, inAll(cents));
        const tiers = rule.tiers.filter(({ from }) => from * 100 <= cents);
        const highest = Math.max(...tiers.map(({ from }) => from));
        const percent = Math.min(...tiers.filter(({ from }) => from === highest).map((one) => one.percent));
        if (tiers.length === 0) {
          expect(offer).toBeNull();
          return;
        }
        const offered = BigInt(Math.round((offer ?? -1) * 100));
        const step = BigInt(rule.roundTo * 100);
        expect(offered % step).toBe(0n);
        const short = exactly(cents, percent) - offered * 1_000_000n;
        const [least, most] = rule.rounding === "down" ? [0n, 2n] : [-1n, 1n];
        expect(2n * short >= least * step * 1_000_000n && 2n * short < most * step * 1_000_000n).toBe(true);
      }),
    );
  });

  it("the order of tiers does not matter", () => {
    fc.assert(
      fc.property(anyRule, anyCents, (rule, cents) => {
        const turned = { ...rule, tiers: rule.tiers.toReversed() };
        expect(ruleOfferOf(turned, inAll(cents))).toBe(ruleOfferOf(rule, inAll(cents)));
      }),
    );
  });
});
