import type { CardHistory, OwnLookUp } from "@slabdesk/contract/api/lookup-history.ts";
import { expect, test } from "vitest";
import { lookupHistoryMessages } from "./lookup-history-messages.ts";

const at = (year: number, month: number, day: number): string => new Date(year, month - 1, day, 9, 30).toISOString();

const OWN: OwnLookUp = {
  resultId: "7",
  sessionId: "s",
  sessionName: "Dallas show",
  line: 12,
  at: at(2026, 5, 3),
  source: "cardladder",
  valueThen: 410,
  valueNow: 455,
};
const UNPRICED = { source: null, valueThen: null, valueNow: null };
const NOTHING: CardHistory = { own: null, colleague: null, isTwiceOpen: false };
const ANA = { by: "Ana Ruiz", at: at(2026, 5, 3) };

const cases: [what: string, lookupHistory: Partial<CardHistory>, message: string[]][] = [
  ["nothing", {}, []],
  ["one's own", { own: OWN }, ['You looked it up on May 3, 2026 in "Dallas show", $410 then, $455 now']],
  [
    "of another year",
    { own: { ...OWN, at: at(2025, 12, 31) } },
    ['You looked it up on Dec 31, 2025 in "Dallas show", $410 then, $455 now'],
  ],
  ["never priced", { own: { ...OWN, ...UNPRICED } }, ['You looked it up on May 3, 2026 in "Dallas show"']],
  [
    "has no price now",
    { own: { ...OWN, valueThen: 1410.5, valueNow: null } },
    ['You looked it up on May 3, 2026 in "Dallas show", $1,410.50 then'],
  ],
  [
    "an administrator's view",
    { own: { ...OWN, owner: "Ana Ruiz" } },
    ['Ana Ruiz looked it up on May 3, 2026 in "Dallas show", $410 then, $455 now'],
  ],
  ["a colleague's", { colleague: ANA }, ["Looked up by Ana Ruiz on May 3, 2026"]],
  [
    "a colleague's of another year",
    { colleague: { ...ANA, at: at(2024, 1, 1) } },
    ["Looked up by Ana Ruiz on Jan 1, 2024"],
  ],
  [
    "everything",
    { own: { ...OWN, ...UNPRICED }, colleague: ANA, isTwiceOpen: true },
    [
      'You looked it up on May 3, 2026 in "Dallas show"',
      "Looked up by Ana Ruiz on May 3, 2026",
      "Also in another open session",
    ],
  ],
];

test.each(cases)("%s", (_, lookupHistory, message) => {
  expect(lookupHistoryMessages({ ...NOTHING, ...lookupHistory })).toEqual(message);
});
