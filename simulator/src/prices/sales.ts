import type { Seeded } from "../made-up/seeded.ts";

/** One sale in the format of the price sources: `price` in dollars, `date` in ISO 8601. */
export type MarketSale = {
  price: number;
  date: string;
  platform: string;
  listingType: string;
  itemId: string;
};

/** The parameters of a card's sales. Ages are whole days before today. */
export type SalesPlan = {
  ages: readonly number[];
  /** The price of a sale today, in dollars. */
  level: number;
  /** The price change within 30 days, as a share. Negative if the price fell. */
  rise: number;
  /** The share by which single sales deviate from the level. */
  noise: number;
  /** The share of outliers. */
  outliers: number;
};

const DAY_MS = 86_400_000;
/** Prices were constant before this many days ago. */
const TREND_DAYS = 45;
const OLDEST_DAYS = 120;
/**
 * Sales of these ages would cross the border of a 15- or 30-day window during today. None are made up, so that price
 * metrics don't change within a day.
 */
const BORDER_AGES = new Set([14, 29]);

const PLATFORMS = ["eBay", "eBay", "eBay", "eBay", "Fanatics-Weekly", "Fanatics-Vault"] as const;
const LISTING_TYPES = ["Auction", "Auction", "BestOffer", "FixedPrice"] as const;
const OUTLIER_FACTORS = [0.35, 0.45, 2.1, 2.8] as const;

/** Random ages in days, with more recent ones. */
export function makeUpAges(count: number, random: Seeded): number[] {
  return Array.from({ length: count }, () => {
    const age = Math.floor(OLDEST_DAYS * random.next() ** 1.4);
    return BORDER_AGES.has(age) ? age + 1 : age;
  });
}

/** The sales of a plan, newest first. The same random numbers give the same sales all day. */
export function makeUpSales(plan: SalesPlan, random: Seeded): MarketSale[] {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const sales = plan.ages.map((age): MarketSale => {
    const trend = 1 - (plan.rise * Math.min(age, TREND_DAYS)) / 30;
    const noise = 1 + (random.next() * 2 - 1) * plan.noise;
    const isOutlier = random.chance(plan.outliers);
    const price = plan.level * trend * noise * (isOutlier ? random.pick(OUTLIER_FACTORS) : 1);
    return {
      price: Math.max(0.99, Math.round(price * 100) / 100),
      date: new Date(midnight - age * DAY_MS - random.int(1, DAY_MS / 1000 - 1) * 1000).toISOString(),
      platform: random.pick(PLATFORMS),
      listingType: random.pick(LISTING_TYPES),
      itemId: `ebay-${random.int(200_000, 399_999)}${random.int(100_000, 999_999)}`,
    };
  });
  return sales.toSorted((one, other) => other.date.localeCompare(one.date));
}

/** The number of sales in the last `days` and their mean. Without sales, the mean is 0. */
export function windowOf(sales: readonly MarketSale[], days: number): { velocity: number; averagePrice: number } {
  const from = new Date(Date.now() - days * DAY_MS).toISOString();
  const prices = sales.filter(({ date }) => date >= from).map(({ price }) => price);
  const sum = prices.reduce((total, price) => total + price, 0);
  const averagePrice = prices.length === 0 ? 0 : Math.round((sum / prices.length) * 100) / 100;
  return { velocity: prices.length, averagePrice };
}
