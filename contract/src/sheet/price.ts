import { cutText } from "../certs/text.ts";
import { centsOf, dollarsOf } from "../market/money.ts";

/** A price cell: empty, an amount in dollars, or other text, which is kept as typed. */
export type PriceReading = { kind: "none" } | { kind: "amount"; amount: number } | { kind: "unreadable"; text: string };

/** The currency may precede or follow the amount, but not split its digits: "12 $ 13" is two amounts. */
const AMOUNT = /^(?:[\s$€£]|USD|EUR)*(?:(-)(?:[\s$€£]|USD|EUR)*)?([\d.](?:.*?\S)??)(?:[\s$€£]|USD|EUR)*$/i;
const PLAIN = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i;
const COMMA_GROUPS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const DECIMAL_COMMA = /^(?:\d+|\d{1,3}(?:\.\d{3})+),\d{1,2}$/;
const SPACE_GROUPS = /^\d{1,3}(?:\s\d{3})+(?:[.,]\d{1,2})?$/;
const LONGEST_CELL = 60;

/** Parses a price as people type it: "12.5", "$1,234.50", "1.234,50 €". */
export function parsePrice(cell: string): PriceReading {
  const text = cell.trim();
  if (text === "") return { kind: "none" };
  const [, sign = "", typed = ""] = (text.length > LONGEST_CELL ? null : AMOUNT.exec(text)) ?? [];
  const digits = SPACE_GROUPS.test(typed) ? typed.replaceAll(/\s/g, "") : typed;
  if (PLAIN.test(digits)) return amountOf(sign + digits, text);
  if (COMMA_GROUPS.test(digits)) return amountOf(sign + digits.replaceAll(",", ""), text);
  if (DECIMAL_COMMA.test(digits)) return amountOf(sign + digits.replaceAll(".", "").replace(",", "."), text);
  return { kind: "unreadable", text };
}

/** 10 billion dollars. Above it, the cell holds something else, often a cert number. */
const LARGEST_AMOUNT = 1e10;

function amountOf(digits: string, text: string): PriceReading {
  const amount = Number(digits) || 0;
  return Math.abs(amount) < LARGEST_AMOUNT ? { kind: "amount", amount } : { kind: "unreadable", text };
}

/** 110 % of the price, "0.00" if it isn't positive. Rounds half up on the decimal amount (4.35 gives "4.79"). */
export function customerPriceOf(price: number | null): string {
  if (price === null || price <= 0) return "0.00";
  const cents = Math.round(Number((price * 110).toFixed(6)));
  return (cents / 100).toFixed(2);
}

/** "1.250" can mean 1.25 or 1250. Prices don't have three decimals. */
export function isAmbiguousPrice(cell: string): boolean {
  return /^[^\d.,]*\d{1,3}\.\d{3}[^\d.,]*$/.test(cell);
}

/** An unambiguous dollar amount, which needs no message. */
const DOLLARS = /^(?:USD|[\s$])*(?:-[\s$]*)?(?:\d+|\d{1,3}(?:,\d{3})+|(?=\.))(?:\.\d*)?(?:USD|[\s$])*$/i;
const OTHER_CURRENCY = /[€£]|EUR/i;

/** The message about a price that was converted or couldn't be read, else null. */
export function priceMessage(cell: string): string | null {
  const reading = parsePrice(cell);
  if (reading.kind === "none") return null;
  const typed = cutText(cell.trim(), LONGEST_CELL);
  if (reading.kind === "unreadable") return `Price "${typed}" is not an amount; it is kept as typed`;
  const read = `Price "${typed}" is read as ${reading.amount}`;
  const dollars = OTHER_CURRENCY.test(cell) ? `${read} dollars` : read;
  const digits = typed.replace(/\D/g, "");
  if (isAmbiguousPrice(cell)) return `${dollars}; if you meant ${digits}, type ${digits}`;
  return dollars !== read || !DOLLARS.test(cell.trim()) ? dollars : null;
}

export function costProblem(typed: string): string | null {
  return parsePrice(typed).kind === "unreadable" ? notAnAmount(typed, "cost") : null;
}

/** A typed offer in dollars, or why it can't be saved. Empty text is no offer. */
export function parseOffer(typed: string): { offer: number | null; problem: null } | { problem: string } {
  const reading = parsePrice(typed);
  if (reading.kind === "none") return { offer: null, problem: null };
  if (reading.kind === "unreadable") return { problem: notAnAmount(typed, "offer") };
  if (reading.amount < 0) return { problem: "An offer can't be below 0. To use the session's rule, leave it empty" };
  return { offer: dollarsOf(centsOf(reading.amount)), problem: null };
}

function notAnAmount(typed: string, name: string): string {
  return `"${cutText(typed.trim(), LONGEST_CELL)}" is not an amount. Type the ${name} in dollars, for example 120.00`;
}
