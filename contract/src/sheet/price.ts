import { cutText } from "./text.ts";

/** A price cell: empty, an amount in dollars, or text that is no amount and is kept as typed. */
export type PriceReading = { kind: "none" } | { kind: "amount"; amount: number } | { kind: "unreadable"; text: string };

/** A currency may stand before an amount or behind it, never between its digits: "12 $ 13" is two amounts. */
const AMOUNT = /^(?:[\s$€£]|USD|EUR)*(-?)(?:[\s$€£]|USD|EUR)*([\d.](?:.*?\S)??)(?:[\s$€£]|USD|EUR)*$/i;
const PLAIN = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i;
const COMMA_GROUPS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const DECIMAL_COMMA = /^(?:\d+|\d{1,3}(?:\.\d{3})+),\d{1,2}$/;
const SPACE_GROUPS = /^\d{1,3}(?:\s\d{3})+(?:[.,]\d{1,2})?$/;
/** No amount is longer. */
const LONGEST_CELL = 60;

/** Reads a price as people type it: "12.5", "$1,234.50", "1.234,50 €". */
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

/** Ten thousand million dollars: above it a cell holds something else, often a certificate number. */
const LARGEST_AMOUNT = 1e10;

function amountOf(digits: string, text: string): PriceReading {
  // "-0" is no other amount than "0".
  const amount = Number(digits) || 0;
  return Math.abs(amount) < LARGEST_AMOUNT ? { kind: "amount", amount } : { kind: "unreadable", text };
}

/**
 * What a customer pays: 110 % of the price in dollars, to two decimals; "0.00" when the price is not positive.
 * Rounded half up on the decimal amount, not on its binary neighbor (4.35 gives "4.79").
 */
export function customerPriceOf(price: number | null): string {
  if (price === null || price <= 0) return "0.00";
  const cents = Math.round(Number((price * 110).toFixed(6)));
  return (cents / 100).toFixed(2);
}

/** "1.250" is 1.25 to one reader and 1250 to another; no price has three decimals. */
export function isAmbiguousPrice(cell: string): boolean {
  return /^[^\d.,]*\d{1,3}\.\d{3}[^\d.,]*$/.test(cell);
}

/** An amount of dollars as SPEC's Price column has it: what is read is what stands there. */
const DOLLARS = /^(?:USD|[\s$])*-?[\s$]*(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d*)?(?:USD|[\s$])*$/i;
const OTHER_CURRENCY = /[€£]|EUR/i;

/** What a row says of its price: how the cell was read where it says it another way, or that it was not. Else null. */
export function priceMessage(cell: string): string | null {
  const reading = parsePrice(cell);
  if (reading.kind === "none") return null;
  const typed = cutText(cell.trim(), LONGEST_CELL);
  if (reading.kind === "unreadable") return `Price "${typed}" is not an amount; it is kept as typed`;
  const read = `Price "${typed}" is read as ${reading.amount}`;
  const dollars = OTHER_CURRENCY.test(cell) ? `${read} dollars` : read;
  if (isAmbiguousPrice(cell)) return `${dollars}; type ${typed.replace(/\D/g, "")} if it is meant so`;
  return dollars !== read || !DOLLARS.test(cell.trim()) ? dollars : null;
}
