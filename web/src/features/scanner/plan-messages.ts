import type { PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import type { ScanPlan } from "@slabdesk/contract/api/plans.ts";
import { PRICE_SOURCE_NAMES, type PricePlan } from "@slabdesk/contract/api/prices.ts";
import { LOW_QUOTA } from "@slabdesk/contract/api/quota.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { formatClock } from "../../table/wait-messages.ts";
import { formatTimeLeft } from "../../session/run-view.ts";
import type { SheetSummary } from "./sheet-summary.ts";

export type PlanWait = ScanPlan["waits"][number];

/** A value of the plan, and how it is to be taken. */
export type Message = { message: string; tone: "bad" | "warn" | undefined };

/** 12345 as "12,345". */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** "1 card", "2,500 cards". */
function many(value: number, one: string): string {
  return `${count(value)} ${one}${value === 1 ? "" : "s"}`;
}

/**
 * The large figures. Without a plan they are the sheet's own, known only to the server is what it has looked up before:
 * `known` is null, and `toLookUp` is the most it can be.
 */
export type PlanFigures = { toLookUp: number; known: number | null; damaged: number };

export function figuresOf(summary: SheetSummary, plan: ScanPlan | null): PlanFigures {
  return plan
    ? { toLookUp: plan.counts.ready, known: plan.counts.known, damaged: plan.counts.damaged }
    : { toLookUp: summary.ready, known: null, damaged: summary.damaged.count };
}

/** What each company of the sheet will be asked: "96 cards" before there is a plan, "96 cards · 192 API calls" with it. */
export function companyLines(summary: SheetSummary, plan: ScanPlan | null): { company: Company; message: string }[] {
  return COMPANIES.filter((company) => summary.byCompany[company] > 0).map((company) => ({
    company,
    message: plan ? callMessage(company, plan) : many(summary.byCompany[company], "card"),
  }));
}

function callMessage(company: Company, plan: ScanPlan): string {
  const sources = plan.sources.filter((asked) => asked.company === company);
  if (sources.length === 0) return unaskedMessage(company, plan);
  const cards = sources.reduce((sum, asked) => sum + asked.cards, 0);
  const calls = sources.map((asked) => many(asked.calls, asked.source === "api" ? "API call" : "page call"));
  return [many(cards, "card"), ...calls].join(" · ");
}

function unaskedMessage(company: Company, { notConfigured, waits }: ScanPlan): string {
  if (notConfigured.some((missing) => missing.company === company)) return "cannot be asked";
  return waits.some((wait) => wait.company === company) ? "all wait" : "no calls";
}

/** Rows whose certificate stands further up: they cost nothing, whether it is known or looked up. */
export function duplicateMessage(summary: SheetSummary, plan: ScanPlan | null): string {
  const rows = plan ? plan.counts.duplicate : summary.duplicates;
  return rows === 0 ? "already known" : `${many(rows, "row")} · looked up once`;
}

/** "1,840 → 1,648 left", in the tone of what will be left. */
export function quotaChange({ before, after }: NonNullable<ScanPlan["quota"]>): Message {
  const message = before === after ? `${count(before)} left, none used` : `${count(before)} → ${count(after)} left`;
  return { message, tone: quotaTone(after) };
}

/** SPEC section 9: zero and low are marked. */
function quotaTone(left: number): Message["tone"] {
  if (left <= 0) return "bad";
  return left < LOW_QUOTA ? "warn" : undefined;
}

/** "12 by you", "3 by colleagues", "2 also in another open session": those that there are. */
export function lookupHistoryCounts({ own, colleagues, twiceOpen }: PlanLookupHistory): string[] {
  return [
    ...(own === 0 ? [] : [`${count(own)} by you`]),
    ...(colleagues === 0 ? [] : [`${count(colleagues)} by colleagues`]),
    ...(twiceOpen === 0 ? [] : [`${count(twiceOpen)} also in another open session`]),
  ];
}

/** How long it takes and when it ends: "about 8 min · ends about 14:20". A short run needs no clock. */
export function durationOf(plan: ScanPlan, nowMs: number): { length: string; end: string | null } {
  const end = `ends about ${formatClock(plan.endsAt, nowMs)}`;
  if (plan.counts.ready === 0 && plan.minutes === 0) return { length: "at once", end: null };
  if (plan.waits.length > 0)
    return { length: plan.sources.length > 0 ? formatTimeLeft(plan.minutes) : "waits first", end };
  return { length: formatTimeLeft(plan.minutes), end: plan.minutes < 1 ? null : end };
}

/** "46 PSA cards wait until 14:05 tomorrow", or why they wait when nobody knows until when. */
export function waitMessage({ company, rows, until, message }: PlanWait, nowMs: number): string {
  const cards = `${count(rows)} ${company} ${rows === 1 ? "card waits" : "cards wait"}`;
  return until === null ? `${cards}: ${message}` : `${cards} until ${formatClock(until, nowMs)}`;
}

/** "3 TAG cards will fail: TAG's API is not set up" */
export function missingMessage({ company, rows, message }: ScanPlan["notConfigured"][number]): string {
  return `${many(rows, `${company} card`)} will fail: ${message}`;
}

/** What one price source will be asked: "212 prices · 636 calls · 88 known", and the same in a sentence. */
export function priceMessage({ source, isOn, cards, cached, calls }: PricePlan): { message: string; sentence: string } {
  const name = PRICE_SOURCE_NAMES[source];
  if (!isOn) return { message: "not set up", sentence: `${name} is not set up` };
  if (cards + cached === 0) return { message: "no prices to fetch", sentence: `${name}: no prices to fetch` };
  const known = cached === 0 ? [] : [`${count(cached)} known`];
  const asked = cards === 0 ? [] : [many(cards, "price"), many(calls, "call")];
  const fetched = cards === 0 ? "nothing to fetch" : `${many(cards, "price")} to fetch in ${many(calls, "call")}`;
  const sentence = [`${name}: ${fetched}`, ...known.map((some) => `${some} from the last day`)].join(", ");
  return { message: [...asked, ...known].join(" · "), sentence };
}

/** "CardLadder's daily limit is used up; asked again at 15:05"; null while a source can be asked. */
export function priceWaitMessage({ source, isOn, until, message }: PricePlan, nowMs: number): string | null {
  if (!isOn || (until === null && message === null)) return null;
  const reason = (message ?? "").replace(/[.:;\s]+$/, "") || `${PRICE_SOURCE_NAMES[source]} is paused`;
  if (until === null) return `${reason}; asked when it is opened`;
  return `${reason}; asked again at ${formatClock(until, nowMs)}`;
}

/** True when PSA's API is used up for this plan: even those who may not see the quota see that. */
export function isOutOfQuota({ waits }: Pick<ScanPlan, "waits">): boolean {
  return waits.some(({ company, outcome }) => company === "PSA" && outcome === "quota_exhausted");
}
