import { z } from "zod";
import { storableText } from "../sheet/text.ts";
import { METRICS } from "../market/buy-offer.ts";
import { companySchema } from "./cards.ts";

/** The two price sources, by the names of their lanes. They may well share their data: never average the two. */
export const PRICE_SOURCES = ["cardladder", "cardsiq"] as const;
export const priceSourceSchema = z.enum(PRICE_SOURCES);
export type PriceSourceName = z.infer<typeof priceSourceSchema>;

/** As staff know them. */
export const PRICE_SOURCE_NAMES: Record<PriceSourceName, string> = { cardladder: "CardLadder", cardsiq: "CardsIQ" };

/** How long a price serves: a source is asked once in this time for a card. */
export const PRICE_SERVES_HOURS = 24;

export const priceTrendSchema = z.enum(["increasing", "decreasing", "other"]);
export type PriceTrend = z.infer<typeof priceTrendSchema>;

const dollars = z.number().nullable();
const count = z.number().int().nullable();
/** One to five, as the source gives it. */
const confidence = z.number().int().min(1).max(5).nullable();

/**
 * CardLadder's view of one card: amounts in dollars, `salesVelocity` in sales a day over 30 days, null where there is
 * none. `salesCount` are the sales of the last 30 days before `fetchedAt`, `sampleSize` those of them that average,
 * median and range are of; `lastSalePrice` and `newestSaleAt` are the newest sale at all. `sparkline` are the newest
 * sales of the sample, oldest first (docs/market-metrics.md). `priceTrend` "other" is flat.
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

/** CardsIQ's view of one card, in dollars. `requiresReview` is CardsIQ's own doubt. */
export const cardsiqSchema = z.object({
  estimatedValue: dollars,
  lastSalePrice: dollars,
  confidence,
  requiresReview: z.boolean(),
  fetchedAt: z.string(),
});
export type CardsiqPricing = z.infer<typeof cardsiqSchema>;

/**
 * How the price of a row stands at one source: asked for (`pending`), held up because the source is paused (`waiting`),
 * there (`priced`), the source has none (`none`), or it could not be fetched (`failed`). Null: not asked for.
 */
export const PRICE_STATES = ["pending", "waiting", "priced", "none", "failed"] as const;
export const priceStateSchema = z.enum(PRICE_STATES);
export type PriceState = z.infer<typeof priceStateSchema>;

/** `words` say why there is no price, for staff; empty unless the state is `none` or `failed`. */
export const rowPriceSchema = z.object({ state: priceStateSchema.nullable(), message: z.string() });

/** One sale as the source lists it, in dollars. `isOutlier` sales of the window count in no figure but the last sale. */
export const saleSchema = z.object({
  soldAt: z.string(),
  price: z.number(),
  platform: z.string().nullable(),
  isInWindow: z.boolean(),
  isOutlier: z.boolean(),
});
export type SaleView = z.infer<typeof saleSchema>;

/** The sales behind a row's prices, newest first, as they were when its prices were fetched. */
export const rowSalesSchema = z.object({ cardladder: z.array(saleSchema), cardsiq: z.array(saleSchema) });
export type RowSales = z.infer<typeof rowSalesSchema>;

/** SPEC's call: the newest card looked up here of that name, grade and company; `certNumber` names it exactly. */
export const cardladderRequestSchema = z
  .object({
    cardName: z.string().trim().max(1000).overwrite(storableText),
    grade: z.union([z.string().max(100), z.number()]).transform(String),
    gradingCompany: z.string().trim().toUpperCase().pipe(companySchema),
    certNumber: z.string().trim().max(200).optional(),
  })
  .refine(({ cardName, certNumber }) => cardName !== "" || Boolean(certNumber), {
    path: ["cardName"],
    message: "takes the name of a card, or leave it empty and send its certNumber",
  });
export const cardsiqRequestSchema = z.object({
  grader: z.string().trim().toUpperCase().pipe(companySchema),
  certNumber: z.string().trim().max(200),
});

/** What is offered for a card: a percentage of one figure, by tier of that figure, rounded. Amounts are dollars. */
export const offerRuleSchema = z.object({
  metric: z.enum(METRICS),
  /** The tier of a card is the one with the highest `from` not above its figure; below all of them nothing is offered. */
  tiers: z
    .array(z.object({ from: z.number().min(0).max(10_000_000), percent: z.number().min(0).max(100) }))
    .min(1)
    .max(10),
  /** Offers are whole multiples of this. */
  roundTo: z.union([z.literal(0.01), z.literal(0.25), z.literal(0.5), z.literal(1), z.literal(5), z.literal(10)]),
  rounding: z.enum(["down", "nearest"]),
});
export type OfferRule = z.infer<typeof offerRuleSchema>;

/** What a sheet's prices would cost: `cards` to ask for, `cached` with a price of the last day; `words` why they wait. */
export const pricePlanSchema = z.object({
  source: priceSourceSchema,
  isOn: z.boolean(),
  cards: z.number().int(),
  cached: z.number().int(),
  calls: z.number().int(),
  until: z.string().nullable(),
  message: z.string().nullable(),
});
export type PricePlan = z.infer<typeof pricePlanSchema>;

/** Prices that wait because their source is paused; `until` is null while an administrator has paused it. */
export const priceWaitSchema = z.object({
  source: priceSourceSchema,
  until: z.string().nullable(),
  message: z.string(),
});
