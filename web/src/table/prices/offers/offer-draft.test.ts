import { type OfferRule, offerRuleSchema } from "@slabdesk/contract/api/prices.ts";
import { DEFAULT_OFFER_RULE } from "@slabdesk/contract/market/buy-offer.ts";
import { expect, test } from "vitest";
import { parseStored } from "../../../ui/stored-items.ts";
import { draftOf, readDraft, withNewTier, withoutTier, withTier } from "./OfferDialog.tsx";

const rule: OfferRule = {
  metric: "lowest",
  tiers: [
    { from: 100, percent: 70 },
    { from: 0, percent: 62.5 },
  ],
  roundTo: 5,
  rounding: "nearest",
};
const sorted = { ...rule, tiers: [...rule.tiers].reverse() };

test.each([
  ["the usual rule", DEFAULT_OFFER_RULE],
  ["a sorted rule", sorted],
])("%s is read back unchanged", (_name, given) => {
  expect(readDraft(draftOf(given))).toEqual({ rule: given, errors: null });
});

test("tiers are sorted", () => {
  expect(readDraft(draftOf(rule)).rule).toEqual(sorted);
});

test.each([
  ["100", 100],
  [" $1,250.50 ", 1250.5],
  ["0", 0],
])("a tier may start at %j", (from, amount) => {
  const draft = withTier(draftOf({ ...rule, tiers: [{ from: 5, percent: 70 }] }), 0, { from });
  expect(readDraft(draft).rule?.tiers).toEqual([{ from: amount, percent: 70 }]);
});

test.each([
  [{ from: "" }, { from: "An amount, such as 100" }],
  [{ from: "-5" }, { from: "An amount, such as 100" }],
  [{ from: "12,34" }, { from: "An amount, such as 100" }],
  [{ from: "99999999" }, { from: "An amount, such as 100" }],
  [{ percent: "101" }, { percent: "From 0 to 100" }],
  [{ percent: "many" }, { percent: "From 0 to 100" }],
  [
    { from: "x", percent: "" },
    { from: "An amount, such as 100", percent: "From 0 to 100" },
  ],
  [{ from: "0.00" }, { from: "Another tier begins here" }],
])("a tier of %j is refused with a reason", (change, errors) => {
  const read = readDraft(withTier(draftOf(rule), 1, change));
  expect(read.rule).toBeNull();
  expect([...(read.errors ?? [])]).toEqual([[1, errors]]);
});

test("a new tier is empty and has its own key, also after a removal", () => {
  const draft = withNewTier(withoutTier(withNewTier(draftOf(rule)), 0));
  expect(draft.tiers.map(({ key }) => key)).toEqual([1, 2, 3]);
  expect(readDraft(draft).rule).toBeNull();
});

test.each([
  ["nothing", undefined],
  ["no JSON", "tiers"],
  ["another shape", '{"price":"medianPrice"}'],
  ["an unknown price metric", JSON.stringify({ ...rule, metric: "best" })],
])("%s is not a stored rule", (_name, text) => {
  expect(parseStored(offerRuleSchema, text ?? null)).toBeNull();
});

test("a stored rule is read unchanged", () => {
  expect(parseStored(offerRuleSchema, JSON.stringify(rule))).toEqual(rule);
});
