import { expect, test } from "vitest";
import { aPlan, aPricePlan, aWait, aWall, later, NOW, sheetOf } from "./plan-factory.test-data.ts";
import {
  companyLines,
  durationOf,
  countsOf,
  isOutOfQuota,
  limitMessage,
  linkOnlyMessage,
  missingMessage,
  priceRefusals,
  priceWaitMessage,
  priceMessage,
  quotaChange,
  waitMessage,
  wallMessage,
} from "./plan-messages.ts";
import { summarizeSheet } from "../sheet/sheet-summary.ts";

const SHEET = sheetOf("98174651,PSA", "98174652,PSA", "98174651,PSA", "1401019289294,CGC", "C1240631,TAG", "12,PSA");
const SUMMARY = summarizeSheet(SHEET).summary;
const nowMs = NOW.getTime();

test("until the server answers, the numbers come from the sheet and nothing is said about the cache", () => {
  expect(countsOf(SUMMARY, null)).toMatchObject({ toLookUp: 4, known: null, duplicates: 1, toFix: 1 });
  expect(companyLines(SUMMARY, null)).toEqual([
    { company: "PSA", message: "2 cards" },
    { company: "CGC", message: "1 card" },
    { company: "TAG", message: "1 card" },
  ]);
});

test("the plan's numbers replace them", () => {
  const plan = aPlan({ counts: { ready: 1, known: 4, duplicate: 0, toFix: 1 } });
  expect(countsOf(SUMMARY, plan)).toEqual({ toLookUp: 1, known: 4, duplicates: 0, toFix: 1 });
});

test("each company of the sheet lists its calls by source", () => {
  const plan = aPlan({
    sources: [
      { company: "PSA", source: "api", cards: 1250, calls: 2500 },
      { company: "PSA", source: "page", cards: 1, calls: 1 },
    ],
    notConfigured: [{ company: "TAG", rows: 1, message: "TAG's API is not set up" }],
  });
  expect(companyLines(SUMMARY, plan)).toEqual([
    { company: "PSA", message: "1,251 cards · 2,500 API calls · 1 page call" },
    { company: "CGC", message: "no calls" },
    { company: "TAG", message: "not set up" },
  ]);
});

test("a company whose cards all wait is not said to need no calls", () => {
  const plan = aPlan({ sources: [], waits: [aWait()] });
  expect(companyLines(SUMMARY, plan).map(({ message }) => message)).toEqual(["all wait", "no calls", "no calls"]);
});

test.each([
  [1840, 1648, "1,840 → 1,648 left", undefined],
  [692, 500, "692 → 500 left", undefined],
  [691, 499, "691 → 499 left", "warn"],
  [100, 0, "100 → 0 left", "bad"],
  [0, 0, "0 left, none needed", "bad"],
  [1840, 1840, "1,840 left, none needed", undefined],
])("a quota of %i before and %i after reads %j, tone %j", (before, after, message, tone) => {
  expect(quotaChange({ before, after, total: 2500, isConfirmed: true, resetsAt: null })).toEqual({ message, tone });
});

test.each([
  [
    { perDay: 100, cards: 110, today: 60, byPage: 0, endsAt: later(72) },
    "If PSA allows 100 calls a day, 60 of 110 cards finish today and the rest by Nov 24, 2026",
  ],
  [
    { perDay: 1, cards: 2, today: 1, byPage: 1, endsAt: null },
    "If PSA allows 1 call a day, 1 of 2 cards finishes today and 1 is looked up on PSA's website",
  ],
  [
    { perDay: 1, cards: 2, today: 1, byPage: 0, endsAt: null },
    "If PSA allows 1 call a day, 1 of 2 cards finishes today and the rest later",
  ],
])("a lower limit of %j reads %j", (limit, message) => {
  expect(limitMessage(limit)).toBe(message);
});

const NOTHING_TO_DO = { ready: 0, known: 96, duplicate: 0, toFix: 0 };

test.each([
  [aPlan(), "about 8 min", "ends about 2:08 PM"],
  [aPlan({ minutes: 0.4, endsAt: later(0, 1) }), "less than a minute", null],
  [aPlan({ minutes: 639, endsAt: later(10, 39) }), "about 10 h 39 min", "ends about 12:39 AM tomorrow"],
  [aPlan({ counts: NOTHING_TO_DO, minutes: 0 }), "Instant", null],
  [aPlan({ counts: NOTHING_TO_DO, sources: [], prices: [aPricePlan()] }), "about 8 min", "ends about 2:08 PM"],
  [aPlan({ waits: [aWait()], endsAt: later(24, 9) }), "about 8 min of work", "ends about 2:09 PM tomorrow"],
  [
    aPlan({ waits: [aWait()], minutes: 0, endsAt: later(24, 9) }),
    "less than a minute of work",
    "ends about 2:09 PM tomorrow",
  ],
  [
    aPlan({ waits: [aWait()], sources: [], minutes: 0, endsAt: later(24, 9) }),
    "starts after a wait",
    "ends about 2:09 PM tomorrow",
  ],
])("plan %#: takes %j, %j", (plan, length, end) => {
  expect(durationOf(plan, nowMs)).toEqual({ length, end });
});

test("waiting cards show how many, of which company, and until when", () => {
  expect(waitMessage(aWait(), nowMs)).toBe("46 PSA cards wait until 2:05 PM tomorrow");
  expect(waitMessage(aWait({ until: null, message: "PSA was paused by Ana Admin" }), nowMs)).toBe(
    "46 PSA cards wait: PSA was paused by Ana Admin",
  );
  expect(waitMessage(aWait({ company: "CGC", rows: 1, until: later(0, 15) }), nowMs)).toBe(
    "1 CGC card waits until 2:15 PM",
  );
});

test("a source that is not configured has the server's message", () => {
  const message = "TAG's API is not set up";
  expect(missingMessage({ company: "TAG", rows: 3, message })).toBe(`3 TAG cards will fail: ${message}`);
  expect(missingMessage({ company: "TAG", rows: 1, message })).toBe(`1 TAG card will fail: ${message}`);
});

test("a wall says since when, how many rows it would stop, and whether the run checks it", () => {
  const clock = wallMessage(aWall(), nowMs).match(/\d+:\d\d [AP]M/)?.[0];
  expect(wallMessage(aWall(), nowMs)).toBe(
    `PSA's website has refused us since ${clock}. 120 rows would be blocked. The first card checks again`,
  );
  const refused = aWall({
    company: "CGC",
    source: "api",
    outcome: "forbidden",
    rows: 1,
    isProbed: false,
    message: "Ask CGC",
  });
  expect(wallMessage(refused, nowMs)).toBe(`CGC's API has refused us since ${clock}. 1 row would fail. Ask CGC`);
  const wall = { outcome: "blocked", since: aWall().since, message: "", isProbed: false } as const;
  expect(priceWaitMessage(aPricePlan({ wall, calls: 0 }), nowMs)).toBe(
    `CardLadder has refused us since ${clock}. 212 prices would fail`,
  );
  const [psa] = companyLines(SUMMARY, aPlan({ sources: [], walls: [aWall()] }));
  expect(psa?.message).toBe("no calls, access refused");
});

test.each([
  [[aWait()], true],
  [[aWait({ outcome: "blocked" })], false],
  [[aWait({ company: "CGC" })], false],
  [[], false],
])("waits %# mean that PSA's quota is exhausted: %j", (waits, isOut) => {
  expect(isOutOfQuota({ waits })).toBe(isOut);
});

test.each([
  [{}, "212 prices · 636 calls · 88 known", "CardLadder: 212 prices to fetch in 636 calls, 88 known from the last day"],
  [{ cards: 1, calls: 1, cached: 0 }, "1 price · 1 call", "CardLadder: 1 price to fetch in 1 call"],
  [{ cards: 0, calls: 0 }, "88 known", "CardLadder: nothing to fetch, 88 known from the last day"],
  [{ cards: 0, calls: 0, cached: 0 }, "no prices to fetch", "CardLadder: no prices to fetch"],
  [{ source: "cardsiq", isOn: false }, "not set up", "CardsIQ is not set up"],
] as const)("prices of %j read %j", (fields, message, sentence) => {
  expect(priceMessage(aPricePlan(fields))).toEqual({ message, sentence });
});

test("cards of a company that a price source refuses are counted, with the time of the next try", () => {
  const refused = [{ company: "CGC" as const, cards: 12, until: later(24, 5) }];
  expect(priceRefusals(aPricePlan({ refused }), nowMs)).toEqual([
    "12 CGC cards get no price: CardLadder refuses CGC cards. Next try tomorrow at 2:05 PM",
  ]);
  expect(priceRefusals(aPricePlan(), nowMs)).toEqual([]);
});

test("TAG cards from the page get the link and the photos only", () => {
  const source = { company: "TAG", source: "page", cards: 3, calls: 9 } as const;
  expect(linkOnlyMessage(aPlan({ sources: [source] }))).toBe(
    "3 TAG cards get only the report link and the slab photos. The details need a key from TAG. Until then, enter them by hand",
  );
  expect(linkOnlyMessage(aPlan({ sources: [{ ...source, source: "api" }] }))).toBeNull();
});

test("a paused price source says why and when it is tried again", () => {
  const paused = { until: later(1, 5), message: "CardLadder's daily limit is used up." };
  expect(priceWaitMessage(aPricePlan(paused), nowMs)).toBe("CardLadder's daily limit is used up. Next try at 3:05 PM");
  expect(priceWaitMessage(aPricePlan({ source: "cardsiq", until: later(24, 5) }), nowMs)).toBe(
    "CardsIQ is paused. Next try tomorrow at 2:05 PM",
  );
  expect(priceWaitMessage(aPricePlan({ until: null, message: "CardLadder was paused by Ana Admin" }), nowMs)).toBe(
    "CardLadder was paused by Ana Admin. Prices continue when it is resumed",
  );
  expect(priceWaitMessage(aPricePlan(), nowMs)).toBeNull();
  expect(priceWaitMessage(aPricePlan({ ...paused, isOn: false }), nowMs)).toBeNull();
});
