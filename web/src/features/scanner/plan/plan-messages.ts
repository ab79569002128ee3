import type { PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { formatAt, formatClock, formatDay, formatSince } from "@slabdesk/contract/certs/dates.ts";
import type { ScanPlan } from "@slabdesk/contract/api/plans.ts";
import { PRICE_SOURCE_NAMES, type PricePlan } from "@slabdesk/contract/api/prices.ts";
import { LOW_QUOTA } from "@slabdesk/contract/api/quota.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { counted, formatCount } from "../../../ui/format-numbers.ts";
import { formatTimeLeft } from "../../../run/run-progress.ts";
import type { SheetSummary } from "../sheet/sheet-summary.ts";

export type PlanWait = ScanPlan["waits"][number];

export type Message = { message: string; tone: "bad" | "warn" | undefined };

/** The plan's main numbers. Without a plan, `known` is null and `toLookUp` an upper bound. */
export function countsOf(summary: SheetSummary, plan: ScanPlan | null) {
  if (plan === null) return { ...summary, toLookUp: summary.ready, known: null };
  const { ready, known, duplicate, toFix } = plan.counts;
  return { toLookUp: ready, known, duplicates: duplicate, toFix };
}

/** Lookups per company: "96 cards" without a plan, "96 cards · 192 API calls" with one. */
export function companyLines(summary: SheetSummary, plan: ScanPlan | null): { company: Company; message: string }[] {
  return COMPANIES.filter((company) => summary.byCompany[company] > 0).map((company) => ({
    company,
    message: plan ? callMessage(company, plan) : counted(summary.byCompany[company], "card"),
  }));
}

function callMessage(company: Company, plan: ScanPlan): string {
  const sources = plan.sources.filter((asked) => asked.company === company);
  if (sources.length === 0) return unaskedMessage(company, plan);
  const cards = sources.reduce((sum, asked) => sum + asked.cards, 0);
  const calls = sources.map((asked) => counted(asked.calls, asked.source === "api" ? "API call" : "page call"));
  return [counted(cards, "card"), ...calls].join(" · ");
}

function unaskedMessage(company: Company, { notConfigured, waits, walls }: ScanPlan): string {
  if (walls.some((wall) => wall.company === company)) return "no calls, access refused";
  if (notConfigured.some((missing) => missing.company === company)) return "not set up";
  return waits.some((wait) => wait.company === company) ? "all wait" : "no calls";
}

/** "If PSA allows 100 calls a day, 100 of 110 cards finish today and the rest by Nov 24, 2026". */
export function limitMessage({ perDay, cards, today, byPage, endsAt }: ScanPlan["ifLimited"][number]): string {
  const condition = `If PSA allows ${counted(perDay, "call")} a day`;
  const first = `${formatCount(today)} of ${counted(cards, "card")} ${today === 1 ? "finishes" : "finish"} today`;
  if (byPage > 0) return `${condition}, ${first} and ${counted(byPage, "is", "are")} looked up on PSA's website`;
  return `${condition}, ${first} and the rest ${endsAt === null ? "later" : `by ${formatDay(endsAt)}`}`;
}

/** "1,840 → 1,648 left", with the tone of the remaining quota. */
export function quotaChange({ before, after }: NonNullable<ScanPlan["quota"]>): Message {
  const message =
    before === after
      ? `${formatCount(before)} left, none needed`
      : `${formatCount(before)} → ${formatCount(after)} left`;
  return { message, tone: after <= 0 ? "bad" : after < LOW_QUOTA ? "warn" : undefined };
}

/** "12 by you", "3 by colleagues", "2 also in another open session"; omits zero counts. */
export function lookupHistoryCounts({ own, colleagues, twiceOpen }: PlanLookupHistory): string[] {
  const counts: [number, string][] = [
    [own, "by you"],
    [colleagues, "by colleagues"],
    [twiceOpen, "also in another open session"],
  ];
  return counts.filter(([cards]) => cards > 0).map(([cards, message]) => `${formatCount(cards)} ${message}`);
}

/** Duration and end time: "about 8 min · ends about 2:20 PM". A short run has no end time. */
export function durationOf(plan: ScanPlan, nowMs: number): { length: string; end: string | null } {
  const end = `ends about ${formatClock(plan.endsAt, nowMs)}`;
  if (plan.counts.ready === 0 && plan.minutes === 0) return { length: "Instant", end: null };
  if (plan.waits.length > 0)
    return { length: plan.sources.length > 0 ? `${formatTimeLeft(plan.minutes)} of work` : "starts after a wait", end };
  return { length: formatTimeLeft(plan.minutes), end: plan.minutes < 1 ? null : end };
}

/** "46 PSA cards wait until 2:05 PM tomorrow", or the reason if the end is unknown. */
export function waitMessage({ company, rows, until, message }: PlanWait, nowMs: number): string {
  const cards = counted(rows, `${company} card waits`, `${company} cards wait`);
  return until === null ? `${cards}: ${message}` : `${cards} until ${formatClock(until, nowMs)}`;
}

/** "PSA's website has refused us since 10:32 AM. 120 rows would be blocked. The first card checks again". */
export function wallMessage(wall: ScanPlan["walls"][number], nowMs: number): string {
  const { company, source, outcome, rows, since, message, isProbed } = wall;
  const isRefused = outcome === "forbidden";
  const refusal = `${company}'s ${source === "api" ? "API" : "website"} has refused ${isRefused && isProbed ? "our credentials" : "us"}`;
  const failure = `${counted(rows, "row")} would ${isRefused ? "fail" : "be blocked"}`;
  const check = isProbed ? ". The first card checks again" : "";
  const reason = isRefused && !isProbed ? `. ${message}` : "";
  return `${refusal} since ${formatSince(since, nowMs)}. ${failure}${check}${reason}`;
}

/** "3 TAG cards will fail: TAG's API is not set up". */
export function missingMessage({ company, rows, message }: ScanPlan["notConfigured"][number]): string {
  return `${counted(rows, `${company} card`)} will fail: ${message}`;
}

/** Requests to one price source: "212 prices · 636 calls · 88 known", and the same as a sentence. */
export function priceMessage({ source, isOn, cards, cached, calls }: PricePlan): { message: string; sentence: string } {
  const name = PRICE_SOURCE_NAMES[source];
  if (!isOn) return { message: "not set up", sentence: `${name} is not set up` };
  if (cards + cached === 0) return { message: "no prices to fetch", sentence: `${name}: no prices to fetch` };
  const known = cached === 0 ? [] : [`${formatCount(cached)} known`];
  const asked = cards === 0 ? [] : [counted(cards, "price"), counted(calls, "call")];
  const fetched = cards === 0 ? "nothing to fetch" : `${counted(cards, "price")} to fetch in ${counted(calls, "call")}`;
  const sentence = [`${name}: ${fetched}`, ...known.map((some) => `${some} from the last day`)].join(", ");
  return { message: [...asked, ...known].join(" · "), sentence };
}

/** "12 CGC cards get no price: CardLadder refuses CGC cards. Next try at 3:05 PM", one sentence per company. */
export function priceRefusals({ source, refused }: PricePlan, nowMs: number): string[] {
  return refused.map(({ company, cards, until }) => {
    const who = counted(cards, `${company} card gets`, `${company} cards get`);
    const name = PRICE_SOURCE_NAMES[source];
    return `${who} no price: ${name} refuses ${company} cards. Next try ${formatAt(until, nowMs)}`;
  });
}

/** TAG's page has no details for a server; null if no card is planned to come from it. */
export function linkOnlyMessage({ sources }: Pick<ScanPlan, "sources">): string | null {
  const byPage = sources.find(({ company, source }) => company === "TAG" && source === "page");
  if (!byPage) return null;
  const who = counted(byPage.cards, "TAG card gets", "TAG cards get");
  return `${who} only the report link and the slab photos. The details need a key from TAG. Until then, enter them by hand`;
}

/** "CardLadder's daily limit is used up. Next try at 3:05 PM"; null if the source is available. */
export function priceWaitMessage(price: PricePlan, nowMs: number): string | null {
  const { source, isOn, until, message, wall, cards } = price;
  if (wall) {
    const check = wall.isProbed ? ". The first request checks again" : "";
    const refusal = `${PRICE_SOURCE_NAMES[source]} has refused us since ${formatSince(wall.since, nowMs)}`;
    return `${refusal}. ${counted(cards, "price")} would fail${check}`;
  }
  if (!isOn || (until === null && message === null)) return null;
  const reason = (message ?? "").replace(/[.:;\s]+$/, "") || `${PRICE_SOURCE_NAMES[source]} is paused`;
  if (until === null) return `${reason}. Prices continue when it is resumed`;
  return `${reason}. Next try ${formatAt(until, nowMs)}`;
}

/** True if PSA's API quota is used up for this plan. Works for users who may not see the quota. */
export function isOutOfQuota({ waits }: Pick<ScanPlan, "waits">): boolean {
  return waits.some(({ company, outcome }) => company === "PSA" && outcome === "quota_exhausted");
}
