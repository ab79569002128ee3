/** A price cell: empty, an amount in dollars, or text that is no amount and is kept as typed. */
export type PriceReading = { kind: "none" } | { kind: "amount"; amount: number } | { kind: "unreadable"; text: string };

const PLAIN = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i;
const COMMA_GROUPS = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const DECIMAL_COMMA = /^-?(?:\d+|\d{1,3}(?:\.\d{3})+),\d{1,2}$/;

/** Reads a price as people type it: "12.5", "$1,234.50", "1.234,50 €". */
export function parsePrice(cell: string): PriceReading {
  const text = cell.trim();
  if (text === "") return { kind: "none" };
  const bare = text.replace(/[\s\u00a0$€£]|USD|EUR/gi, "");
  if (PLAIN.test(bare)) return amountOf(bare, text);
  if (COMMA_GROUPS.test(bare)) return amountOf(bare.replaceAll(",", ""), text);
  if (DECIMAL_COMMA.test(bare)) return amountOf(bare.replaceAll(".", "").replace(",", "."), text);
  return { kind: "unreadable", text };
}

/** Ten thousand million dollars: above it a cell holds something else, often a certificate number. */
const LARGEST_AMOUNT = 1e10;

function amountOf(digits: string, text: string): PriceReading {
  const amount = Number(digits);
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

export function ambiguousPriceWords(cell: string): string {
  const typed = cell.trim();
  const amount = parsePrice(cell);
  const read = amount.kind === "amount" ? String(amount.amount) : "no amount";
  return `Price "${typed}" is read as ${read}; type ${typed.replace(/\D/g, "")} if it is meant so`;
}
