import type { OfferRule } from "@slabdesk/contract/api/prices.ts";

type TierDraft = { key: number; from: string; percent: string };

/** A rule being typed. Amounts are text until parsed. */
export type OfferDraft = Omit<OfferRule, "tiers"> & { tiers: readonly TierDraft[] };

export const MOST_TIERS = 10;
const LARGEST_FROM = 10_000_000;

export const ROUND_STEPS: readonly OfferRule["roundTo"][] = [0.01, 0.25, 0.5, 1, 5, 10];

export function draftOf({ tiers, ...rule }: OfferRule): OfferDraft {
  const sorted = tiers.toSorted((one, other) => one.from - other.from);
  const drafts = sorted.map(({ from, percent }, key) => ({ key, from: String(from), percent: String(percent) }));
  return { ...rule, tiers: drafts };
}

export type TierErrors = { from?: string; percent?: string };

/** Parses a draft. Every invalid field gets an error message; tier errors are keyed by tier key. */
export function readDraft({ tiers, ...rule }: OfferDraft) {
  const errors = new Map<number, TierErrors>();
  const read = tiers.map(({ key, from, percent }) => {
    const tier = { from: readNumber(from), percent: readNumber(percent) };
    const wrong: TierErrors = {};
    if (tier.from === null || tier.from > LARGEST_FROM) wrong.from = "An amount, such as 100";
    else if (tiers.some((other) => other.key < key && readNumber(other.from) === tier.from))
      wrong.from = "Another tier begins here";
    if (tier.percent === null || tier.percent > 100) wrong.percent = "From 0 to 100";
    if (wrong.from !== undefined || wrong.percent !== undefined) errors.set(key, wrong);
    return tier;
  });
  if (errors.size > 0) return { rule: null, errors };
  const sorted = read
    .flatMap(({ from, percent }) => (from === null || percent === null ? [] : [{ from, percent }]))
    .sort((one, other) => one.from - other.from);
  return { rule: { ...rule, tiers: sorted }, errors: null };
}

/** Parses "1,250", "$100" or "62.5 %"; null if invalid or negative. */
function readNumber(text: string): number | null {
  const digits = text.replaceAll(/[\s$%]/g, "");
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits) ? digits.replaceAll(",", "") : digits;
  return /^(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

export function withTier(draft: OfferDraft, key: number, change: Partial<Omit<TierDraft, "key">>): OfferDraft {
  return { ...draft, tiers: draft.tiers.map((tier) => (tier.key === key ? { ...tier, ...change } : tier)) };
}

export function withNewTier(draft: OfferDraft): OfferDraft {
  const key = Math.max(-1, ...draft.tiers.map((tier) => tier.key)) + 1;
  return { ...draft, tiers: [...draft.tiers, { key, from: "", percent: "" }] };
}

export function withoutTier(draft: OfferDraft, key: number): OfferDraft {
  return { ...draft, tiers: draft.tiers.filter((tier) => tier.key !== key) };
}
