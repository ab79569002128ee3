import { type AdminCharts, CHART_SOURCES, type ChartCompany, type ChartSource } from "@slabdesk/contract/api/stats.ts";
import { SOURCE_TITLES } from "@slabdesk/contract/api/sources.ts";
import type { AdminFilter } from "../admin-filter.ts";
import { counted, wholeMoney } from "../../../ui/format-numbers.ts";
import type { OutcomeCode, OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";

const DAY_MS = 86_400_000;

/** One segment of a day's bar; `tone` names a color of the theme, and `mark` is its filter. */
export type Part = { key: string; title: string; tone: string; mark: AdminFilter };
/** A day's bar: the size of each nonempty segment. */
export type Day = { day: string; total: number; sizes: Readonly<Partial<Record<string, number>>> };
/** A bar chart by day: the possible segments, bottom to top, with totals over all days. */
export type DaySeries = { days: readonly Day[]; parts: readonly (Part & { total: number })[]; total: number };

const COMPANIES: readonly Part[] = [
  { key: "PSA", title: "PSA", tone: "psa", mark: { company: "PSA" } },
  { key: "CGC", title: "CGC", tone: "cgc", mark: { company: "CGC" } },
  { key: "TAG", title: "TAG", tone: "tag", mark: { company: "TAG" } },
  { key: "other", title: "Other", tone: "control", mark: { company: "other" } },
];

export function markColor(tone: string): string {
  return `var(--mark-${tone}, var(--sd-${tone}))`;
}

const TITLES: Record<ChartSource, string> = { ...SOURCE_TITLES, "psa-page": "PSA pages" };
const GRADERS: Partial<Record<ChartSource, ChartCompany>> = { psa: "PSA", "psa-page": "PSA", cgc: "CGC", tag: "TAG" };

/** Every UTC day from the first to the last, inclusive. */
export function daysOf({ from, to }: Pick<AdminCharts, "from" | "to">): string[] {
  const first = Date.parse(from.slice(0, 10));
  const count = Math.round((Date.parse(to.slice(0, 10)) - first) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Cards, or their market value, by day and company. Omits companies without any. */
export function companySeries(charts: AdminCharts, measure: "cards" | "value"): DaySeries {
  const entries = charts.days.map((entry) => ({ day: entry.day, key: entry.company, size: entry[measure] }));
  return series(charts, entries, COMPANIES);
}

/** Upstreams that were called or have a limit, in the app's standard order. */
export function calledSources(charts: AdminCharts): { name: ChartSource; title: string; quota: number | null }[] {
  return CHART_SOURCES.flatMap((name) => {
    const quota = charts.quotas[name] ?? null;
    const isCalled = charts.calls.some((entry) => entry.source === name);
    return isCalled || quota !== null ? [{ name, title: TITLES[name], quota }] : [];
  });
}

/** Daily calls to one upstream. A grader's mark filters by its company. */
export function callSeries(charts: AdminCharts, source: ChartSource): DaySeries {
  const calls = charts.calls.filter((entry) => entry.source === source);
  const entries = calls.map((entry) => ({ day: entry.day, key: source, size: entry.calls }));
  const company = GRADERS[source];
  const mark = company === undefined ? {} : { company };
  return series(charts, entries, [
    { key: source, title: TITLES[source], tone: company?.toLowerCase() ?? "accent", mark },
  ]);
}

type Entry = { day: string; key: string; size: number };

function series(charts: AdminCharts, entries: readonly Entry[], parts: readonly Part[]): DaySeries {
  const byDay = Map.groupBy(entries, ({ day }) => day);
  const bars = daysOf(charts).map((day) => {
    const sizes: Record<string, number> = {};
    for (const { key, size } of byDay.get(day) ?? []) sizes[key] = (sizes[key] ?? 0) + size;
    return { day, sizes, total: sum(Object.values(sizes)) };
  });
  const summed = parts.map((part) => ({ ...part, total: sum(bars.map((bar) => bar.sizes[part.key] ?? 0)) }));
  return { days: bars, parts: summed.filter(({ total }) => total > 0), total: sum(bars.map(({ total }) => total)) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const SHORT = { notation: "compact", maximumSignificantDigits: 3 } as const;
const SHORT_COUNT = new Intl.NumberFormat("en-US", SHORT);
const SHORT_DOLLARS = new Intl.NumberFormat("en-US", { ...SHORT, style: "currency", currency: "USD" });

/** How to format a chart's values: long, and short for tight spaces. */
export type Unit = { long: (value: number) => string; short: (value: number) => string };

export const CARDS: Unit = { long: (value) => counted(value, "card"), short: (value) => SHORT_COUNT.format(value) };
export const CALLS: Unit = { long: (value) => counted(value, "call"), short: (value) => SHORT_COUNT.format(value) };
export const MONEY: Unit = { long: wholeMoney, short: (value) => SHORT_DOLLARS.format(value) };

/** The first day of each month in the range: three or four ticks on a 90-day axis. */
export function axisDays(days: readonly string[]): string[] {
  return days.filter((day) => day.endsWith("-01"));
}

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Grid lines from zero to the highest value, or to a higher limit, in round whole steps. */
export function axisLines(highest: number, limit: number | undefined): number[] {
  if (limit !== undefined && limit >= highest) return [0, limit / 2, limit];
  const least = Math.max(1, highest / 3);
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const steps = STEPS.map((step) => step * magnitude).filter((step) => Number.isInteger(step) && step >= least);
  const step = steps[0] ?? Math.ceil(least);
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, index) => index * step);
}

/** "24%", "0.4%"; a zero whole counts as 0%. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  if (percent > 0 && percent < 0.1) return "under 0.1%";
  return `${percent >= 10 || Number.isInteger(percent) ? Math.round(percent) : percent.toFixed(1)}%`;
}

/** The color of an outcome shows who must act: no one, the upstream, or us. */
export const OUTCOME_TONES: Record<(typeof OUTCOMES)[OutcomeCode]["group"], string> = {
  ok: "good",
  not_found: "control",
  outage: "warn",
  to_fix: "bad",
};
