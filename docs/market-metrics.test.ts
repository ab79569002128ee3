import { describe, expect, it } from "vitest";
import type { Pricing } from "@slabdesk/contract/api/prices.ts";
import { DEFAULT_OFFER_RULE, ruleOfferOf } from "@slabdesk/contract/market/buy-offer.ts";
import { METRICS } from "@slabdesk/contract/api/prices.ts";
import { disagreementOf } from "@slabdesk/contract/market/disagreement.ts";
import { judgeSales, SPARKLINE_SALES, WINDOW_DAYS } from "@slabdesk/contract/market/market-metrics.ts";
import type { JudgedSale } from "@slabdesk/contract/market/market-metrics.ts";
import { pricingOf } from "@slabdesk/contract/market/pricing.ts";
import type { Sale } from "@slabdesk/contract/market/money.ts";
import { readHouseFile, readTableRows } from "./markdown-tables.ts";

const text = readHouseFile("docs/market-metrics.md");
const message = text.replaceAll(/\s+/g, " ");
const tables = readTableRows(text);
const rowsUnder = (heading: string): string[][] =>
  tables.filter((row) => row.heading === heading).map(({ cells }) => cells);

const [, day = "", time = ""] = /Fetched on (\S+) at (\d\d:\d\d) UTC/.exec(text) ?? [];
const fetchedAt = `${day}T${time}:00.000Z`;
const example = rowsUnder("An example");
const sales = example.map(([soldAt = "", price = ""]): Sale => {
  return { soldAt, cents: Math.round(Number(price.replaceAll(/[$,]/g, "")) * 100), platform: null };
});
const nothing = {
  estimateCents: null,
  lastSaleCents: null,
  lastSaleAt: null,
  confidence: null,
  month: null,
  isCut: false,
};
const pricingFor = (some: readonly Sale[]): Pricing => pricingOf({ ...nothing, sales: some }, fetchedAt);
const judged = judgeSales(sales, new Date(fetchedAt));
const inWindow = judged.filter((one) => one.isInWindow);
const isoDaysBefore = (days: number): string =>
  new Date(Date.parse(fetchedAt) - days * 24 * 60 * 60 * 1000).toISOString();

function money(dollars: number | null, digits = 2): string {
  if (dollars === null) return "";
  return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: 3 })}`;
}

function verdictOf({ isInWindow, isOutlier }: JudgedSale): string {
  if (!isInWindow) return "too old";
  return isOutlier ? "outlier" : "yes";
}

describe("docs/market-metrics.md", () => {
  it("says whether each sale of the example counts", () => {
    expect(example.length).toBeGreaterThan(6);
    expect(judged.toReversed().map((one) => [one.sale.soldAt, money(one.sale.cents / 100), verdictOf(one)])).toEqual(
      example,
    );
  });

  it("gives the example's metrics", () => {
    const pricing = pricingFor(sales);
    const kept = inWindow.filter((one) => !one.isOutlier).map((one) => one.sale);
    const middle = isoDaysBefore(15);
    expect(rowsUnder("Results")).toEqual([
      ["Sales count", String(pricing.salesCount)],
      ["Sales velocity", String(pricing.salesVelocity.thirtyDay)],
      ["Sample size", String(pricing.sampleSize)],
      ["Average", money(pricing.averagePrice)],
      ["Median", money(pricing.medianPrice)],
      ["Low", money(pricing.priceRange.low)],
      ["High", money(pricing.priceRange.high)],
      ["Newer median", money(pricingFor(kept.filter(({ soldAt }) => soldAt >= middle)).medianPrice)],
      ["Older median", money(pricingFor(kept.filter(({ soldAt }) => soldAt < middle)).medianPrice)],
      ["Trend", pricing.priceTrend],
      ["Last sale", money(pricing.lastSalePrice)],
      ["Offer", money(ruleOfferOf(DEFAULT_OFFER_RULE, { pricing, cardsiq: null }))],
    ]);
  });

  it("computes quartiles and fences as the code does", () => {
    const prices = inWindow.map(({ sale }) => sale.cents / 100).toSorted((one, other) => one - other);
    const quartile = (share: number): number => {
      const at = (prices.length - 1) * share;
      const below = prices[Math.floor(at)] ?? Number.NaN;
      return below + (at % 1) * ((prices[Math.ceil(at)] ?? Number.NaN) - below);
    };
    const [first, third] = [quartile(0.25), quartile(0.75)];
    const fences = [first - 1.5 * (third - first), third + 1.5 * (third - first)] as const;
    expect(message).toContain(`the quartiles are ${money(first)} and ${money(third)}, ${money(third - first)} apart`);
    expect(message).toContain(`Sales below ${money(fences[0])} or above ${money(fences[1])} are outliers`);
    expect(inWindow.filter((one) => one.isOutlier).map((one) => one.sale.cents / 100)).toEqual(
      inWindow.map((one) => one.sale.cents / 100).filter((price) => price < fences[0] || price > fences[1]),
    );
    const mean = prices.reduce((sum, price) => sum + price, 0) / prices.length;
    expect(message).toContain(`With the outliers, the average would be ${money(mean)}`);
  });

  it("gives the default offer rule", () => {
    const { metric, tiers, roundTo, rounding } = DEFAULT_OFFER_RULE;
    expect(rowsUnder("Offers")).toEqual(tiers.map(({ from, percent }) => [money(from, 0), `${percent}%`]));
    expect([metric, roundTo, rounding]).toEqual(["medianPrice", 1, "down"]);
    expect(message).toContain("of the median, rounded down to whole dollars");
    expect(METRICS.filter((one) => one !== "lowest")).toHaveLength(5);
  });

  it("gives the limits", () => {
    expect(message).toContain(`The window is the ${WINDOW_DAYS} days`);
    expect(rowsUnder("The rule")).toContainEqual(["Sparkline", `The newest ${SPARKLINE_SALES}, oldest first`]);
    const [, apart = ""] = /at least (\d+)% apart, the screen shows by how much/.exec(message) ?? [];
    const estimated = (cents: number): Pricing => pricingOf({ ...nothing, sales: [], estimateCents: cents }, fetchedAt);
    const cardsiq = { estimatedValue: 100, lastSalePrice: null, confidence: null, requiresReview: false, fetchedAt };
    expect(disagreementOf({ pricing: estimated(10_000 + Number(apart) * 100), cardsiq })).not.toBeNull();
    expect(disagreementOf({ pricing: estimated(9999 + Number(apart) * 100), cardsiq })).toBeNull();
  });
});
