import { counted, wholeMoney } from "../../../ui/format-numbers.ts";
import type { OUTCOMES, OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";

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
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
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
