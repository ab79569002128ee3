import recordedCard from "../recorded/cardladder-card.json" with { type: "json" };
import recordedEstimate from "../recorded/cardladder-estimate.json" with { type: "json" };
import type { Behavior } from "../endpoints/behavior.ts";
import { findMagic } from "../endpoints/magic.ts";
import { seeded } from "../made-up/seeded.ts";
import { findMarket, RECORDED_ESTIMATE_CERT, type Market } from "../prices/market.ts";
import { windowOf, type MarketSale } from "../prices/sales.ts";
import { describeSlab, type Slab } from "../prices/slab.ts";
import { profileIdOf, slabOfProfile } from "./profile-id.ts";

/** The request's `data`. */
export type CallData = Readonly<Record<string, unknown>>;
/** How the functions answer now: prices are multiplied by `factor`. */
export type Functions = { factor: number } & Behavior["cardladder"];

/** The card of a cert. Null if CardLadder has no prices for it. */
export function answerCard(data: CallData, { refused }: Functions): object | null | undefined {
  const asked = askedSlab(data);
  if (!asked || refused.includes(asked.grader)) return undefined;
  if (asked.grader === "psa" && asked.cert === recordedCard.result.slabSerial) return recordedCard.result;
  const market = findMarket(asked.grader, asked.cert);
  if (!market) return null;
  const { slab } = market;
  return {
    pop: slab.population,
    year: slab.year,
    set: slab.set,
    category: slab.category,
    number: slab.number,
    player: slab.player,
    variation: slab.variation,
    label: describeSlab(slab),
    imageUrl: "",
    imageBackUrl: "",
    profileId: profileIdOf(asked.grader, slab.certNumber),
    grade: gradeOf(slab),
    slabSerial: slab.certNumber,
  };
}

/** The estimate of a profile and a grade. Has no value for the old key or if the card doesn't have that grade. */
export function answerEstimate(data: CallData, functions: Functions): object | null | undefined {
  const { factor, argumentSet } = functions;
  const { profileId } = data;
  const [gradingCompany, condition] =
    argumentSet === "condition" ? [data.gradingCompany, data.condition] : [data.grader, data.grade];
  if (typeof gradingCompany !== "string" || gradingCompany === "") return undefined;
  if (typeof condition !== "string" || condition === "") return undefined;
  if (typeof profileId !== "string") return { estimatedValue: null };
  const asked = slabOfProfile(profileId);
  const market = asked && findMarket(asked.grader, asked.certNumber, factor);
  if (!asked || !market) return null;
  if (gradingCompany !== asked.grader || !isGradeOf(market.slab, condition)) return { estimatedValue: null };
  const isRecorded = asked.grader === "psa" && asked.certNumber === RECORDED_ESTIMATE_CERT && factor === 1;
  return isRecorded ? recordedEstimate : estimateOf(market, asked.grader, condition);
}

/** The sales of a cert, newest first by default. Null if CardLadder has no prices for it. */
export function answerSales(data: CallData, { factor, refused }: Functions): object | null | undefined {
  const asked = askedSlab(data);
  if (!asked || refused.includes(asked.grader)) return undefined;
  const market = findMarket(asked.grader, asked.cert, factor);
  if (!market) return null;
  const sorted = market.sales.toSorted((one, other) =>
    data.sort === "price" ? one.price - other.price : one.date.localeCompare(other.date),
  );
  const ordered = data.direction === "asc" ? sorted : sorted.toReversed();
  const limit = typeof data.limit === "number" && data.limit > 0 ? data.limit : ordered.length;
  return { sales: ordered.slice(0, limit).map((sale) => saleOf(sale, market.slab)) };
}

function askedSlab({ cert, grader }: CallData): { cert: string; grader: string } | null {
  const isAsked = typeof cert === "string" && cert !== "" && typeof grader === "string" && grader !== "";
  return isAsked ? { cert, grader } : null;
}

/** "g10", "g9.5". */
function gradeOf(slab: Slab): string {
  return `g${slab.grade}`;
}

/** Half grades were seen as "g9.5" and "g9_5". Both match, except for the magic card that accepts only the second. */
function isGradeOf(slab: Slab, condition: string): boolean {
  const grade = gradeOf(slab);
  const underscored = grade.replace(".", "_");
  if (findMagic(slab.certNumber)?.variant === "half_grade") return condition === underscored;
  return condition === grade || condition === underscored;
}

/** The share of cards without a last price, as in the 2024 record. */
const NO_LAST_PRICE_SHARE = 0.05;

function estimateOf({ slab, estimate, sales, confidence }: Market, grader: string, condition: string): object {
  const random = seeded(`CardLadder estimate ${grader} ${slab.certNumber}`);
  const newest = sales[0];
  const hasLastPrice = !random.chance(NO_LAST_PRICE_SHARE) || findMagic(slab.certNumber) !== null;
  return {
    estimatedValue: estimate,
    ...(newest ? { lastSaleDate: newest.date } : {}),
    confidence,
    grader,
    index: slab.player,
    indexId: slab.player,
    description: describeSlab(slab),
    grade: condition,
    twoWeekData: windowOf(sales, 14),
    oneMonthData: windowOf(sales, 30),
    oneQuarterData: windowOf(sales, 91),
    oneYearData: windowOf(sales, 365),
    population: slab.population,
    ...(newest && hasLastPrice ? { lastSalePrice: newest.price } : {}),
    isPlayerIndex: true,
    indexPercentChange: random.int(-800, 800) / 10_000,
  };
}

/** Known clients read only the price and the date. The other fields follow CardLadder's sales archive. */
function saleOf(sale: MarketSale, slab: Slab): object {
  return {
    itemId: sale.itemId,
    date: sale.date,
    price: sale.price,
    platform: sale.platform,
    listingType: sale.listingType,
    slabSerial: slab.certNumber,
    cardDescription: describeSlab(slab),
    condition: gradeOf(slab),
  };
}
