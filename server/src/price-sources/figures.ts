import type { Sale } from "@slabdesk/contract/market/sale.ts";
import { cutText, storableText } from "@slabdesk/contract/sheet/text.ts";
import { parseCertNumber } from "@slabdesk/contract/certs/cert-number.ts";
import { z } from "zod";
import type { PricedCard } from "./price-source.ts";

/*
 * How both sources' figures are read. Nothing in them is trusted: a value that cannot be one is none, and none of them
 * costs the others.
 */

/** Beyond any card ever sold: a figure above it is a fault of the source. */
const HIGHEST_CENTS = 10_000_000_000;
/** Older than online sales of cards: such a date is a placeholder. */
const EARLIEST_SALE = Date.parse("1990-01-01T00:00:00Z");
const DAY_MS = 86_400_000;
const MOST_SALES = 500;
const LONGEST_PLATFORM = 60;

/** A number, also one written as text; null when it is none. */
export function readNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string" || !DECIMAL.test(value.trim())) return null;
  return Number(value);
}
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Dollars as whole cents. Both sources write 0 where they have no figure, so 0 and less are none. */
export function readCents(value: unknown): number | null {
  const dollars = readNumber(value);
  if (dollars === null) return null;
  // 12 digits take back what binary fractions add: 1.005 dollars are 101 cents, not 100.
  const cents = Math.round(Number((dollars * 100).toPrecision(12)));
  return cents > 0 && cents <= HIGHEST_CENTS ? cents : null;
}

/** Whether an answer is about the certificate asked for: leading zeros get lost where numbers are kept as such. */
export function isSameCert({ company, certNumber }: PricedCard, answered: string): boolean {
  if (answered.trim().toUpperCase() === certNumber.toUpperCase()) return true;
  const reading = parseCertNumber(company, answered);
  return reading.ok && reading.certNumber === certNumber;
}

/** How many sales; null when it is no count. */
export function readCount(value: unknown): number | null {
  const count = readNumber(value);
  return count !== null && Number.isInteger(count) && count >= 0 && count <= 1_000_000 ? count : null;
}

/** The five-step rating that both sources give. */
export function readConfidence(value: unknown): number | null {
  const confidence = readNumber(value);
  return confidence !== null && Number.isInteger(confidence) && confidence >= 1 && confidence <= 5 ? confidence : null;
}

/** The moment of a sale as ISO 8601 in UTC, which a time without a zone is taken for; null when it cannot be one. */
export function readSaleDate(value: unknown, now: Date): string | null {
  const [, day, time = "", zone = "Z"] = (typeof value === "string" && ISO_DATE.exec(value.trim())) || [];
  if (day === undefined) return null;
  const at = Date.parse(time === "" ? `${day}T00:00:00Z` : `${day}T${time}${zone}`);
  if (Number.isNaN(at) || at < EARLIEST_SALE || at > now.getTime() + DAY_MS) return null;
  return new Date(at).toISOString();
}
const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

const saleSchema = z.object({
  date: z.unknown().optional(),
  price: z.unknown().optional(),
  platform: z.unknown().optional(),
});

/** A source's list of sales without those that have no readable price and date; the newest 500 of them. */
export function readSales(list: readonly unknown[], now: Date): Sale[] {
  const sales: Sale[] = [];
  for (const entry of list) {
    const sale = saleSchema.safeParse(entry);
    if (!sale.success) continue;
    const soldAt = readSaleDate(sale.data.date, now);
    const cents = readCents(sale.data.price);
    if (soldAt !== null && cents !== null) sales.push({ soldAt, cents, platform: readPlatform(sale.data.platform) });
  }
  return sales.toSorted((a, b) => Date.parse(b.soldAt) - Date.parse(a.soldAt)).slice(0, MOST_SALES);
}

/** Whether a list holds sales at all, however little they are worth: their fields may have been renamed. */
export function listsSales(list: readonly unknown[]): boolean {
  return list.some((entry) => {
    const { date, price } = saleSchema.safeParse(entry).data ?? {};
    return readNumber(price) !== null && typeof date === "string" && ISO_DATE.test(date.trim());
  });
}

function readPlatform(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const platform = cutText(storableText(value).replace(/\s+/g, " ").trim(), LONGEST_PLATFORM);
  return platform === "" ? null : platform;
}
