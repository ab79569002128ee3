import type { Sale } from "@slabdesk/contract/market/money.ts";
import { cutText, storableText } from "@slabdesk/contract/certs/text.ts";
import { parseCertNumber } from "@slabdesk/contract/certs/cert-number.ts";
import { z } from "zod";
import type { PricedCard } from "./price-source.ts";

/* Parses both sources' price metrics. An implausible value becomes null and doesn't affect the others. */

/** Higher than any card ever sold. A larger value is an error of the source. */
const HIGHEST_CENTS = 10_000_000_000;
/** Before online card sales. An earlier date is a placeholder. */
const EARLIEST_SALE = Date.parse("1990-01-01T00:00:00Z");
const DAY_MS = 86_400_000;
const MOST_SALES = 500;
/** More than any source lists. Reading hundreds of thousands would stop the server for seconds. */
const MOST_READ = 1_000;
const LONGEST_PLATFORM = 60;

export function readNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string" || !DECIMAL.test(value.trim())) return null;
  return Number(value);
}
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Converts dollars to whole cents. Both sources write 0 for a missing value, so 0 and less become null. */
export function readCents(value: unknown): number | null {
  const dollars = readNumber(value);
  if (dollars === null) return null;
  // 12 digits remove the error of binary fractions: 1.005 dollars are 101 cents, not 100.
  const cents = Math.round(Number((dollars * 100).toPrecision(12)));
  return cents > 0 && cents <= HIGHEST_CENTS ? cents : null;
}

/** Longer texts aren't cert numbers. Parsing a megabyte takes a quarter of a second. */
const LONGEST_CERT = 100;

/** Whether an answer is about the requested certificate. Sources that store numbers drop leading zeros. */
export function isSameCert({ company, certNumber }: PricedCard, answered: string): boolean {
  if (answered.length > LONGEST_CERT) return false;
  if (answered.trim().toUpperCase() === certNumber.toUpperCase()) return true;
  const reading = parseCertNumber(company, answered);
  return reading.ok && reading.certNumber === certNumber;
}

export function readCount(value: unknown): number | null {
  const count = readNumber(value);
  return count !== null && Number.isInteger(count) && count >= 0 && count <= 1_000_000 ? count : null;
}

/** The 1-to-5 rating of both sources. */
export function readConfidence(value: unknown): number | null {
  const confidence = readNumber(value);
  return confidence !== null && Number.isInteger(confidence) && confidence >= 1 && confidence <= 5 ? confidence : null;
}

/** The time of a sale as ISO 8601 in UTC; null if it is not valid. Times without a zone are read as UTC. */
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

/** Reads the first 1,000 of a list of sales. Drops those without a valid price and date, and keeps the newest 500. */
export function readSales(list: readonly unknown[], now: Date): Sale[] {
  const sales: Sale[] = [];
  for (const entry of list.slice(0, MOST_READ)) {
    const sale = saleSchema.safeParse(entry);
    if (!sale.success) continue;
    const soldAt = readSaleDate(sale.data.date, now);
    const cents = readCents(sale.data.price);
    if (soldAt !== null && cents !== null) sales.push({ soldAt, cents, platform: readPlatform(sale.data.platform) });
  }
  return sales.toSorted((a, b) => Date.parse(b.soldAt) - Date.parse(a.soldAt)).slice(0, MOST_SALES);
}

/** Whether a list contains sales, whatever their price. If not, the fields may have been renamed. */
export function listsSales(list: readonly unknown[]): boolean {
  return list.slice(0, MOST_READ).some((entry) => {
    const { date, price } = saleSchema.safeParse(entry).data ?? {};
    return readNumber(price) !== null && typeof date === "string" && ISO_DATE.test(date.trim());
  });
}

function readPlatform(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const platform = rolledUp(value, LONGEST_PLATFORM);
  return platform === "" ? null : platform;
}

/** Storable text of at most `length` characters, with white space collapsed. Reads only the beginning of long texts. */
export function rolledUp(value: string, length: number): string {
  return cutText(
    storableText(value.trimStart().slice(0, 10 * length))
      .replace(/\s+/g, " ")
      .trim(),
    length,
  );
}
