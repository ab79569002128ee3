import { OUTCOMES } from "../api/outcomes.ts";
import { PRICE_SOURCE_NAMES, PRICE_SOURCES } from "../api/prices.ts";
import type { ImageFlag, ResultRow } from "../api/results.ts";
import { disagreementOf } from "../market/disagreement.ts";
import { canEdit, hasPriceInDoubt, isError, isFound } from "./row-state.ts";

/** What can be wrong with a row, what weighs most first: the order of a row's reasons. */
export const LOOK_KINDS = [
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
export type ReviewKind = (typeof LOOK_KINDS)[number];

/** What is done about a reason. `looks_right` only says that somebody has looked. */
export const LOOK_ACTIONS = [
  "edit_number",
  "retry",
  "get_price",
  "open_prices",
  "add_photo",
  "open_images",
  "looks_right",
] as const;
export type ReviewAction = (typeof LOOK_ACTIONS)[number];

/** Why a row needs a look, in words for staff, and the one thing to do about it. */
export type ReviewReason = { kind: ReviewKind; message: string; action: ReviewAction };

/** From this many dollars on a card is looked at whatever else is right, unless the person has set another amount. */
export const USUAL_HIGH_VALUE = 500;

export type LookOptions = {
  /** Dollars from which on a card is of high value; null: none is. */
  highValue: number | null;
  /** The same certificate stands in another session that has not ended. */
  isTwiceOpen: boolean;
};

/** A source's confidence of one to five up to which its figures are in doubt. */
const LOW_CONFIDENCE = 2;
/** Figures of fewer sales than this say little. Without any sale in the window there are no figures to doubt. */
const FEW_SALES = 3;

const NONE: readonly ReviewReason[] = [];

/**
 * Why a row needs a look, what weighs most first; none while it is still to be looked up, and once somebody has said
 * that it looks right. A failed row has one reason, its failure: there is no card to say more of.
 */
export function reasonsOf(row: ResultRow, { highValue, isTwiceOpen }: LookOptions): readonly ReviewReason[] {
  if (row.reviewedAt !== null) return NONE;
  if (isError(row)) return [failure(row)];
  if (!isFound(row)) return NONE;
  const reasons = [
    mismatch(row),
    isTwiceOpen ? reason("twice_open", "In another open session too", "looks_right") : null,
    priceInDoubt(row),
    ...row.imageFlags.map(pictures),
    disagreement(row),
    lowConfidence(row),
    unpriced(row),
    highValue === null ? null : highlyValued(row, highValue),
  ];
  const found = reasons.filter((given) => given !== null);
  return found.length === 0 ? NONE : found.sort((one, other) => weightOf(one) - weightOf(other));
}

function reason(kind: ReviewKind, message: string, action: ReviewAction): ReviewReason {
  return { kind, message, action };
}

function weightOf({ kind }: ReviewReason): number {
  return LOOK_KINDS.indexOf(kind);
}

function failure(row: ResultRow): ReviewReason {
  const message = row.outcome === null ? "Failed" : OUTCOMES[row.outcome].title;
  return reason("failed", message, canEdit(row) ? "edit_number" : "retry");
}

function mismatch({ mismatches }: ResultRow): ReviewReason | null {
  return mismatches.length === 0 ? null : reason("differs", mismatches.join("; "), "open_images");
}

function priceInDoubt(row: ResultRow): ReviewReason | null {
  if (!hasPriceInDoubt(row)) return null;
  const message = row.price === null ? "is no amount" : "can be read in two ways";
  return reason("price_in_doubt", `Price “${row.priceText.trim().slice(0, 30)}” ${message}`, "looks_right");
}

function pictures(flag: ImageFlag): ReviewReason {
  switch (flag) {
    case "no_image":
      return reason(flag, "No image", "add_photo");
    case "one_side":
      return reason(flag, "Image of one side only", "add_photo");
    case "same_sides":
      return reason(flag, "Front and back are the same picture", "open_images");
  }
}

function disagreement(row: ResultRow): ReviewReason | null {
  const disagreement = disagreementOf(row);
  return disagreement && reason("sources_disagree", `Sources disagree by ${disagreement.percent} %`, "open_prices");
}

function lowConfidence({ pricing, cardsiq }: ResultRow): ReviewReason | null {
  const message = [
    ...PRICE_SOURCES.map((source) => {
      const confidence = (source === "cardladder" ? pricing : cardsiq)?.confidence ?? null;
      if (confidence === null || confidence > LOW_CONFIDENCE) return null;
      return `${PRICE_SOURCE_NAMES[source]}’s confidence is ${confidence} of 5`;
    }),
    cardsiq?.requiresReview === true ? `${PRICE_SOURCE_NAMES.cardsiq} asks for a review` : null,
    fewSales(pricing?.sampleSize ?? null),
  ].filter((said) => said !== null);
  return message.length === 0 ? null : reason("low_confidence", message.join("; "), "open_prices");
}

function fewSales(sampleSize: number | null): string | null {
  if (sampleSize === null || sampleSize === 0 || sampleSize >= FEW_SALES) return null;
  return sampleSize === 1 ? "Figures of 1 sale" : `Figures of ${sampleSize} sales`;
}

/** A price that could not be fetched; that a source has none is an answer. */
function unpriced({ prices }: ResultRow): ReviewReason | null {
  const source = PRICE_SOURCES.find((name) => prices[name].state === "failed");
  return source === undefined
    ? null
    : reason("no_answer_on_price", `${PRICE_SOURCE_NAMES[source]} gave no answer`, "get_price");
}

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });

/** By CardLadder's estimate, else CardsIQ's, else the price of the sheet. */
function highlyValued({ pricing, cardsiq, price }: ResultRow, from: number): ReviewReason | null {
  const value = pricing?.cardladderEstimate ?? cardsiq?.estimatedValue ?? price;
  return value !== null && value >= from ? reason("high_value", `Worth ${dollars.format(value)}`, "open_images") : null;
}
