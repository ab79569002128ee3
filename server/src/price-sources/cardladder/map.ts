import { z } from "zod";
import { recordOf } from "@slabdesk/contract/api/cards.ts";
import { cutText } from "@slabdesk/contract/certs/text.ts";
import type { PriceFound } from "../price-source.ts";
import { readCents, readConfidence, readCount, readSaleDate, rolledUp } from "../field-values.ts";

/* The answers of CardLadder's functions. Any field may be missing: their shape has changed often (README.md). */

/** Text, or a number in its place; null for anything else. */
const text = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value !== "string" && typeof value !== "number") return null;
    return rolledUp(String(value), 300) || null;
  });

/** CardLadder's profile of a certificate. `condition` is its grade as returned by build, null if there is none. */
export type Profile = { profileId: string; condition: string | null; description: string; serial: string | null };

const BUILT = ["profileId", "grade", "label", "year", "set", "number", "player", "variation", "slabSerial"] as const;
const built = z.object(recordOf(BUILT, (name) => [name, text]));

/** Reads the profile from a build result; `null` if there is none, "unreadable" if the shape is unknown. */
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

export type Estimate = Pick<PriceFound, "estimateCents" | "lastSaleCents" | "lastSaleAt" | "confidence" | "month">;

const NO_SALE = { lastSaleCents: null, lastSaleAt: null };
export const NO_ESTIMATE: Estimate = { estimateCents: null, ...NO_SALE, confidence: null, month: null };

const estimated = z.object({
  estimatedValue: z.unknown().optional(),
  lastSalePrice: z.unknown().optional(),
  lastSaleDate: z.unknown().optional(),
  confidence: z.unknown().optional(),
  oneMonthData: z
    .object({ velocity: z.unknown().optional(), averagePrice: z.unknown().optional() })
    .nullish()
    .catch(null),
});

/** Reads the metrics of an estimate; `NO_ESTIMATE` if it is null, "unreadable" if the shape is unknown. */
export function readEstimate(result: unknown, now: Date): Estimate | "unreadable" {
  if (result === null) return NO_ESTIMATE;
  const parsed = estimated.safeParse(result);
  if (!parsed.success || !hasAny(result, Object.keys(estimated.shape))) return "unreadable";
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

/** An answer with fields, but none that is known, can't be read: the fields have been renamed before. */
function hasAny(result: unknown, names: readonly string[]): boolean {
  const own = typeof result === "object" && result !== null ? Object.keys(result) : [];
  return own.length === 0 || names.some((name) => own.includes(name));
}

export function saysAnything({ estimateCents, lastSaleCents, month }: Estimate): boolean {
  return estimateCents !== null || lastSaleCents !== null || (month !== null && month.averageCents !== null);
}

const sold = z.object({ sales: z.custom<unknown[]>(Array.isArray).nullish() });

/** Reads the list of a sales result, empty if there is none; "unreadable" if the shape is unknown. */
export function readSalesList(result: unknown): readonly unknown[] | "unreadable" {
  if (result === null) return [];
  const parsed = sold.safeParse(result);
  return parsed.success && hasAny(result, ["sales"]) ? (parsed.data.sales ?? []) : "unreadable";
}
