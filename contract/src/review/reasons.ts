import { OUTCOMES } from "../api/outcomes.ts";
import { PRICE_SOURCE_NAMES, PRICE_SOURCES } from "../api/prices.ts";
import type { ImageFlag, ResultRow } from "../api/results.ts";
import { disagreementOf } from "../market/disagreement.ts";
import { marketValueOf } from "../market/listing-price.ts";
import { canEdit, hasPriceInDoubt, isError, isFound, SHEET_OUTCOMES, sheetFailureTitle } from "./row-state.ts";

/** Review reasons, most severe first. A row's reasons use this order. */
export const REVIEW_KINDS = [
  "failed",
  "differs",
  "twice_open",
  "price_in_doubt",
  "same_sides",
  "no_image",
  "one_side",
  "sources_disagree",
  "low_confidence",
  "no_answer_on_price",
  "high_value",
] as const;
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/** What the user can do about a reason. `looks_right` only marks the row as reviewed. */
export type ReviewAction =
  | "edit_number"
  | "retry"
  | "get_price"
  | "open_prices"
  | "add_photo"
  | "open_images"
  | "looks_right";

export type ReviewReason = { kind: ReviewKind; message: string; action: ReviewAction };

export const USUAL_HIGH_VALUE = 500;
export const USUAL_DOUBTS_FROM = 50;

export type ReviewOptions = {
  /** The amount in dollars from which a card is high value. Null turns the check off. */
  highValue: number | null;
  /** The amount in dollars from which a doubtful market price matters. Null turns these checks off. */
  doubtsFrom: number | null;
  isTwiceOpen: boolean;
};

/** At or below this confidence (1 to 5), a source's price metrics are in doubt. */
const LOW_CONFIDENCE = 2;
/** Price metrics of fewer sales are in doubt. Without sales in the window, there are no metrics to doubt. */
const FEW_SALES = 3;

const NONE: readonly ReviewReason[] = [];

/** Most severe first. Empty if the row hasn't settled or is reviewed. A failed row has no card to check. */
export function reasonsOf(row: ResultRow, { highValue, doubtsFrom, isTwiceOpen }: ReviewOptions) {
  if (row.reviewedAt !== null) return NONE;
  if (isError(row)) return [reason("failed", failureTitle(row), canEdit(row) ? "edit_number" : "retry")];
  if (!isFound(row)) return NONE;
  const reasons = [
    row.mismatches.length === 0 ? null : reason("differs", row.mismatches.join("; "), "open_images"),
    isTwiceOpen ? reason("twice_open", "Also in another open session", "looks_right") : null,
    priceInDoubt(row),
    ...row.imageFlags.map((flag) => IMAGE_REASONS[flag]),
    ...(doubtsFrom !== null && (valueOf(row) ?? doubtsFrom) >= doubtsFrom
      ? [disagreement(row), lowConfidence(row), unpriced(row)]
      : []),
    highValue === null ? null : highlyValued(row, highValue),
  ];
  const found = reasons.filter((given) => given !== null);
  return found.length === 0
    ? NONE
    : found.sort((one, other) => REVIEW_KINDS.indexOf(one.kind) - REVIEW_KINDS.indexOf(other.kind));
}

function reason(kind: ReviewKind, message: string, action: ReviewAction): ReviewReason {
  return { kind, message, action };
}

function failureTitle(row: ResultRow): string {
  if (row.outcome === null) return "Failed";
  return SHEET_OUTCOMES.includes(row.outcome) ? sheetFailureTitle(row) : OUTCOMES[row.outcome].title;
}

function priceInDoubt(row: ResultRow): ReviewReason | null {
  if (!hasPriceInDoubt(row)) return null;
  const message = row.price === null ? "isn't an amount" : "can be read in two ways";
  return reason("price_in_doubt", `Price “${row.priceText.trim().slice(0, 30)}” ${message}`, "looks_right");
}

const IMAGE_REASONS: Record<ImageFlag, ReviewReason> = {
  no_image: reason("no_image", "No image", "add_photo"),
  one_side: reason("one_side", "Image of one side only", "add_photo"),
  same_sides: reason("same_sides", "Front and back are the same image", "open_images"),
};

function disagreement(row: ResultRow): ReviewReason | null {
  const disagreement = disagreementOf(row);
  return disagreement && reason("sources_disagree", `Sources disagree by ${disagreement.percent}%`, "open_prices");
}

function lowConfidence({ pricing, cardsiq }: ResultRow): ReviewReason | null {
  const sales = pricing?.sampleSize ?? 0;
  const message = [
    ...PRICE_SOURCES.map((source) => {
      const confidence = (source === "cardladder" ? pricing : cardsiq)?.confidence ?? null;
      if (confidence === null || confidence > LOW_CONFIDENCE) return null;
      return `${PRICE_SOURCE_NAMES[source]}’s confidence is ${confidence} of 5`;
    }),
    cardsiq?.requiresReview === true ? `${PRICE_SOURCE_NAMES.cardsiq} flags this for review` : null,
    sales > 0 && sales < FEW_SALES ? `Based on ${sales} ${sales === 1 ? "sale" : "sales"}` : null,
  ].filter((said) => said !== null);
  return message.length === 0 ? null : reason("low_confidence", message.join("; "), "open_prices");
}

/** A price that couldn't be fetched. `none` isn't a failure. */
function unpriced({ prices }: ResultRow): ReviewReason | null {
  const source = PRICE_SOURCES.find((name) => prices[name].state === "failed");
  return source ? reason("no_answer_on_price", `${PRICE_SOURCE_NAMES[source]} didn't answer`, "get_price") : null;
}

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });

/** What is at stake with a row, in dollars: its market value, else the sheet's price. */
function valueOf(row: ResultRow): number | null {
  return marketValueOf(row) ?? row.price;
}

function highlyValued(row: ResultRow, from: number): ReviewReason | null {
  const value = valueOf(row);
  return value !== null && value >= from ? reason("high_value", `Worth ${dollars.format(value)}`, "open_images") : null;
}

/** Rows in the order of their review: failures, differences from the sheet, then the others by value, highest first. */
export function inReviewOrder(rows: readonly ResultRow[], reasons: (row: ResultRow) => readonly ReviewReason[]) {
  const placed = rows.map((row) => {
    const kind = reasons(row)[0]?.kind;
    const place = kind === "failed" ? 0 : kind === "differs" ? 1 : 2;
    return { row, place, value: place === 2 ? (valueOf(row) ?? 0) : 0 };
  });
  return placed.sort((one, other) => one.place - other.place || other.value - one.value).map(({ row }) => row);
}
