import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import { expect, test } from "vitest";
import { newerSession } from "./open-session.ts";
import { aSession } from "./session-factory.test-data.ts";

test("the newer state wins, an overtaken one is dropped, and another session is ignored", () => {
  const shown = aSession({ eventSeq: 5, processedCards: 2 });
  const later = aSession({ eventSeq: 6, processedCards: 3 });
  expect(newerSession(shown, later)).toBe(later);
  expect(newerSession(shown, aSession({ eventSeq: 4 }))).toBe(shown);
  expect(newerSession(shown, aSession({ id: "session-2", eventSeq: 9 }))).toBe(shown);
});

test("an unchanged offer rule stays the same object", () => {
  const rule = (percent: number): OfferRule => ({
    metric: "medianPrice",
    tiers: [{ from: 0, percent }],
    roundTo: 1,
    rounding: "down",
  });
  const shown = aSession({ offerRule: rule(60) });
  expect(newerSession(shown, aSession({ eventSeq: 2, offerRule: rule(60) })).offerRule).toBe(shown.offerRule);
  expect(newerSession(shown, aSession({ eventSeq: 2, offerRule: rule(70) })).offerRule).toEqual(rule(70));
  expect(newerSession(shown, aSession({ eventSeq: 2, offerRule: null })).offerRule).toBeNull();
});
