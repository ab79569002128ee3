import { z } from "zod";
import { cutText, storableText } from "@slabdesk/contract/sheet/text.ts";
import type { PriceFound } from "../price-source.ts";
import { readCents, readConfidence, readCount, readSaleDate } from "../figures.ts";

/*
 * What CardLadder's three functions answer. Every field may be missing: the shape has changed three times in two years
 * (README.md).
 */

/** A text, or a number that should be one; null when it is none. */
const text = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value !== "string" && typeof value !== "number") return null;
    const rolledUp = cutText(storableText(String(value)).replace(/\s+/g, " ").trim(), 300);
    return rolledUp === "" ? null : rolledUp;
  });

/** A certificate as CardLadder knows it. `condition` is its grade as build wrote it, null when it wrote none. */
export type Profile = { profileId: string; condition: string | null; description: string; serial: string | null };

const built = z.object({
  profileId: text,
  grade: text,
  label: text,
  year: text,
  set: text,
  number: text,
  player: text,
  variation: text,
  slabSerial: text,
});

/** The profile of a build's result; `null` when it knows none, "unreadable" when it is no result of build. */
export function readProfile(result: unknown): Profile | null | "unreadable" {
  if (result === null) return null;
  const parsed = built.safeParse(result);
  if (!parsed.success) return "unreadable";
  const { profileId, grade, label, year, set, number, player, variation, slabSerial } = parsed.data;
  if (profileId === null) return null;
  const parts = [year, set, number === null ? null : `#${number.replace(/^#/, "")}`, player, variation];
  const description = label ?? cutText(parts.filter((part) => part !== null).join(" "), 300);
  return { profileId, condition: grade, description, serial: slabSerial };
}

/** The figures of an estimate. */
export type Estimate = Pick<PriceFound, "estimateCents" | "lastSaleCents" | "lastSaleAt" | "confidence" | "month">;

export const NO_ESTIMATE: Estimate = {
  estimateCents: null,
  lastSaleCents: null,
  lastSaleAt: null,
  confidence: null,
  month: null,
};

const estimated = z.looseObject({
  estimatedValue: z.unknown().optional(),
  lastSalePrice: z.unknown().optional(),
  lastSaleDate: z.unknown().optional(),
  confidence: z.unknown().optional(),
  oneMonthData: z
    .object({ velocity: z.unknown().optional(), averagePrice: z.unknown().optional() })
    .nullish()
    .catch(null),
});

/** The figures of an estimate's result, none when it is null; "unreadable" when it is no result of it. */
export function readEstimate(result: unknown, now: Date): Estimate | "unreadable" {
  if (result === null) return NO_ESTIMATE;
  const parsed = estimated.safeParse(result);
  if (!parsed.success || !isEstimate(parsed.data)) return "unreadable";
  const { estimatedValue, lastSalePrice, lastSaleDate, confidence, oneMonthData } = parsed.data;
  const count = readCount(oneMonthData?.velocity);
  return {
    estimateCents: readCents(estimatedValue),
    lastSaleCents: readCents(lastSalePrice),
    lastSaleAt: readSaleDate(lastSaleDate, now),
    confidence: readConfidence(confidence),
    month: count === null ? null : { count, averageCents: readCents(oneMonthData?.averagePrice) },
  };
}

/** An answer with none of the fields that are read says nothing of the card: they have been renamed before. */
function isEstimate(result: z.output<typeof estimated>): boolean {
  const named = Object.keys(result);
  return named.length === 0 || named.some((name) => name in estimated.shape);
}

/** Whether an estimate says what the card is worth in any way. */
export function saysAnything({ estimateCents, lastSaleCents, month }: Estimate): boolean {
  return estimateCents !== null || lastSaleCents !== null || (month !== null && month.averageCents !== null);
}

const sold = z.looseObject({ sales: z.array(z.unknown()).nullish() });

/**
 * The list of a sales result, empty when there is none; "unreadable" when it is no result of it, or when what it lists
 * are no sales any more.
 */
export function readSalesList(result: unknown): readonly unknown[] | "unreadable" {
  if (result === null) return [];
  const parsed = sold.safeParse(result);
  if (!parsed.success) return "unreadable";
  const { sales, ...others } = parsed.data;
  return sales ?? (Object.keys(others).length === 0 || sales === null ? [] : "unreadable");
}

/** How a half grade is written: "g9.5" or "g9_5" (README.md). */
export type HalfForm = "." | "_";

/** The form of a half grade, null when a condition is none. */
export function halfFormOf(condition: string): HalfForm | null {
  const form = /^g\d{1,2}([._])5$/.exec(condition)?.[1];
  return form === "." || form === "_" ? form : null;
}

export function withHalfForm(condition: string, form: HalfForm): string {
  return condition.replace(/[._]/, form);
}
