import { z } from "zod";
import { storableText } from "../certs/text.ts";
import { companySchema } from "./cards.ts";
import { outcomeCodeSchema } from "./outcomes.ts";
import { oneCertNumberSchema } from "./typed-text.ts";

/** The two price sources, named after their lanes. They may share data, so never average them. */
export const PRICE_SOURCES = ["cardladder", "cardsiq"] as const;
export const priceSourceSchema = z.enum(PRICE_SOURCES);
export type PriceSourceName = z.infer<typeof priceSourceSchema>;

export const PRICE_SOURCE_NAMES: Record<PriceSourceName, string> = { cardladder: "CardLadder", cardsiq: "CardsIQ" };

/** How long a fetched price is reused. A source is called at most once per card in this time. */
export const PRICE_SERVES_HOURS = 24;

export const priceTrendSchema = z.enum(["increasing", "decreasing", "other"]);
export type PriceTrend = z.infer<typeof priceTrendSchema>;

const dollars = z.number().nullable();
const count = z.number().int().nullable();
const confidence = z.number().int().min(1).max(5).nullable();

/**
 * CardLadder's data for one card. Amounts are dollars, null if unknown. `salesVelocity` is sales per day over 30 days.
 * `salesCount` counts the sales in the 30 days before `fetchedAt`. `sampleSize` counts those used for average, median
 * and range. `lastSalePrice` and `newestSaleAt` describe the newest sale of any age. `sparkline` holds the newest sales
 * of the sample, oldest first (docs/market-metrics.md). `priceTrend` "other" means flat.
 */
export const pricingSchema = z.object({
  cardladderEstimate: dollars,
  averagePrice: dollars,
  medianPrice: dollars,
  lastSalePrice: dollars,
  priceTrend: priceTrendSchema.nullable(),
  salesCount: count,
  salesVelocity: z.object({ thirtyDay: z.number().nullable() }),
  priceRange: z.object({ low: dollars, high: dollars }),
  sampleSize: count,
  newestSaleAt: z.string().nullable(),
  confidence,
  sparkline: z.array(z.number()),
  fetchedAt: z.string(),
});
export type Pricing = z.infer<typeof pricingSchema>;

/** CardsIQ's data for one card, in dollars. `requiresReview` is CardsIQ's own flag. */
export const cardsiqSchema = z.object({
  estimatedValue: dollars,
  lastSalePrice: dollars,
  confidence,
  requiresReview: z.boolean(),
  fetchedAt: z.string(),
});
export type CardsiqPricing = z.infer<typeof cardsiqSchema>;

/** `waiting`: its source is paused. `none`: the source has no price. Null if no price was requested. */
export const priceStateSchema = z.enum(["pending", "waiting", "priced", "none", "failed"]);
export type PriceState = z.infer<typeof priceStateSchema>;

/** `message` says why there is no price. It is empty unless the state is `none` or `failed`. */
export const rowPriceSchema = z.object({ state: priceStateSchema.nullable(), message: z.string() });

/** One listed sale, in dollars. Outliers in the window count toward no price metric except the last sale. */
export const saleSchema = z.object({
  soldAt: z.string(),
  price: z.number(),
  platform: z.string().nullable(),
  isInWindow: z.boolean(),
  isOutlier: z.boolean(),
});
export type MarkedSale = z.infer<typeof saleSchema>;

/** The sales behind a row's prices, newest first, as of the time the prices were fetched. */
export const rowSalesSchema = z.object({ cardladder: z.array(saleSchema), cardsiq: z.array(saleSchema) });
export type RowSales = z.infer<typeof rowSalesSchema>;

/** A request by name, grade and company for the newest matching card. `certNumber` identifies it exactly. */
export const cardladderRequestSchema = z
  .object({
    cardName: z.string().trim().max(1000).overwrite(storableText),
    grade: z.union([z.string().max(100), z.number()]).transform(String),
    gradingCompany: z.string().trim().toUpperCase().pipe(companySchema),
    certNumber: oneCertNumberSchema.optional(),
  })
  .refine(({ cardName, certNumber }) => cardName !== "" || Boolean(certNumber), {
    path: ["cardName"],
    message: "needs the name of a card, or leave it out and send certNumber",
  });
export const cardsiqRequestSchema = z.object({
  grader: z.string().trim().toUpperCase().pipe(companySchema),
  certNumber: oneCertNumberSchema,
});

/** The price metrics that an offer can be based on. `lowest` is the lowest metric that the card has. */
export const METRICS = [
  "cardladderEstimate",
  "averagePrice",
  "medianPrice",
  "lastSalePrice",
  "cardsiqEstimate",
  "lowest",
] as const;
export type PriceMetric = (typeof METRICS)[number];

/** What is offered for a card: a percentage of one price metric, by tier, rounded. Amounts are dollars. */
export const offerRuleSchema = z.object({
  metric: z.enum(METRICS),
  /** A card's tier has the highest `from` that isn't above its price metric. Below all tiers, there is no offer. */
  tiers: z
    .array(z.object({ from: z.number().min(0).max(10_000_000), percent: z.number().min(0).max(100) }))
    .min(1)
    .max(10),
  roundTo: z.union([z.literal(0.01), z.literal(0.25), z.literal(0.5), z.literal(1), z.literal(5), z.literal(10)]),
  rounding: z.enum(["down", "nearest"]),
});
export type OfferRule = z.infer<typeof offerRuleSchema>;

/** A company whose cards a source refused to price. It is asked for them again after `until`. */
export const companyRefusalSchema = z.object({ company: companySchema, until: z.string() });

/** A source that refuses us. `isProbed`: the next run's first request checks whether it still does. */
export const wallSchema = z.object({
  outcome: outcomeCodeSchema,
  since: z.string(),
  message: z.string(),
  isProbed: z.boolean(),
});

/** `cards` need a call, `cached` ones don't, `refused` ones get no price. `message` says why prices wait. */
export const pricePlanSchema = z.object({
  source: priceSourceSchema,
  isOn: z.boolean(),
  cards: z.number().int(),
  cached: z.number().int(),
  calls: z.number().int(),
  refused: z.array(companyRefusalSchema.extend({ cards: z.number().int() })),
  until: z.string().nullable(),
  message: z.string().nullable(),
  wall: wallSchema.nullable(),
});
export type PricePlan = z.infer<typeof pricePlanSchema>;

/** Prices that wait because their source is paused. `until` is null during a manual pause. */
export const priceWaitSchema = z.object({
  source: priceSourceSchema,
  until: z.string().nullable(),
  message: z.string(),
});

export const LISTING_PERCENT = { least: 1, most: 1_000 } as const;

/** The price of a shop's listings: a percentage of the estimate or the median. The customer price is listed as it is. */
export const listingPriceSchema = z.object({
  /** What it is based on. `estimate` is CardLadder's, else CardsIQ's. */
  listAt: z.enum(["customerPrice", "estimate", "median"]).default("customerPrice"),
  listPercent: z.number().min(LISTING_PERCENT.least).max(LISTING_PERCENT.most).default(100),
});
export type ListingPrice = z.infer<typeof listingPriceSchema>;
