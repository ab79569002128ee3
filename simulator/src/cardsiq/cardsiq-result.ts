import { findMagic } from "../endpoints/magic.ts";
import { seeded, type Seeded } from "../made-up/seeded.ts";
import { findMarket, type Market } from "../prices/market.ts";
import { describeSlab, findSlab } from "../prices/slab.ts";

/** One entry of a batch. An unknown or uppercase `grader` gets no data. */
export type Asked = { cert: string; grader: string };

const RECENT_SALES = 10;
const NO_MARKET_SHARE = 0.1;
const REVIEW_SHARE = 0.03;

/** CardsIQ's result for one cert: no data if the cert doesn't exist, nulls if it has no price. */
export function cardsiqResult(asked: Asked, factor: number): object {
  const slab = findSlab(asked.grader, asked.cert);
  if (!slab) return { ...asked, data: null };
  const random = seeded(`CardsIQ ${asked.grader} ${asked.cert}`);
  const market = findMarket(asked.grader, asked.cert, factor);
  const certification = { label: describeSlab(slab) };
  const errors = random.chance(0.6) ? { errors: {} } : {};
  if (market) return { ...asked, data: { certification, ...pricesOf(market, asked.cert, random), ...errors } };
  const valuation = { estimatedValue: null, lastSalePrice: null, confidence: null };
  return { ...asked, data: { certification, valuation, cardsiq: { requiresReview: true }, ...errors } };
}

/** CardsIQ's own source limited its rate. The result has no data about the cert. */
export function failedLookup(asked: Asked): object {
  return { ...asked, data: { errors: { lookup: "Upstream rate limit exceeded" } } };
}

function pricesOf({ otherEstimate, sales, confidence, isApart }: Market, cert: string, random: Seeded): object {
  const image = random.chance(0.5) ? "image" : "thumbnail";
  const recentSales = sales.slice(0, RECENT_SALES).map(({ date, price, platform, itemId }) => ({
    date,
    price,
    platform,
    [image]: `https://images.cardsiq.invalid/${itemId}.jpg`,
  }));
  const hasMarket = !random.chance(NO_MARKET_SHARE) || findMagic(cert) !== null;
  return {
    valuation: { estimatedValue: otherEstimate, lastSalePrice: sales[0]?.price ?? null, confidence },
    ...(hasMarket && recentSales.length > 0 ? { market: { recentSales } } : {}),
    cardsiq: { requiresReview: isApart || confidence <= 2 || random.chance(REVIEW_SHARE) },
  };
}
