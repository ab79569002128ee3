import type { ScanSession, ScanWait } from "@slabdesk/contract/api/sessions.ts";
import { expect, test } from "vitest";
import { aSession } from "../../../run/session-factory.test-data.ts";
import { canGoByPage, newWaitsMessage, priceWaitMessage, waitClockMessage, waitMessage } from "./waits.ts";

const NOW = new Date(2026, 10, 21, 10, 53);
const at = (hours: number, minutes: number): string => new Date(2026, 10, 21, hours, minutes).toISOString();
const aWait = (fields: Partial<ScanWait> = {}): ScanWait => ({
  company: "PSA",
  outcome: "quota_exhausted",
  until: at(14, 5),
  count: 46,
  message: "PSA's limit of 100 API calls per day is used up",
  canScrape: true,
  ...fields,
});

test("a wait says why, how many, until when, and how long", () => {
  expect(waitMessage(aWait(), NOW.getTime())).toBe(
    "PSA's limit of 100 API calls per day is used up. 46 cards resume at 2:05 PM",
  );
  expect(waitMessage(aWait({ count: 1, message: "PSA's page refuses to be read." }), NOW.getTime())).toBe(
    "PSA's page refuses to be read. 1 card resumes at 2:05 PM",
  );
  expect(waitMessage(aWait({ message: "" }), NOW.getTime())).toBe("PSA. 46 cards resume at 2:05 PM");
  expect(waitClockMessage(aWait(), NOW.getTime())).toBe("in 3 h 12 min");
  expect(waitClockMessage(aWait({ until: at(10, 53) }), NOW.getTime())).toBe("any moment now");
});

test("a company paused by an administrator waits until it is resumed, without a countdown", () => {
  const held = { until: null, message: "PSA was paused by Ana Admin on Nov 21, 2026, 10:42 AM UTC" };
  expect(waitMessage(aWait(held), NOW.getTime())).toBe(`${held.message}. 46 cards wait until someone resumes it`);
  expect(waitClockMessage(aWait(held), NOW.getTime())).toBeNull();
  const prices = {
    pending: 0,
    waiting: 2,
    waits: [{ source: "cardladder" as const, until: null, message: "CardLadder was paused" }],
  };
  const [wait] = prices.waits;
  expect(wait && priceWaitMessage(prices, wait, NOW.getTime())).toBe(
    "CardLadder was paused. 2 prices wait until someone resumes it",
  );
});

test.each([
  [{}, "on", true],
  [{}, "off", false],
  [{ canScrape: false }, "on", false],
] as const)("rows waiting for %j with scraping %s can use the page: %s", (fields, scraping, expected) => {
  expect(canGoByPage(aWait(fields), scraping)).toBe(expected);
});

test("waits are announced when they start, not when their time or number changes", () => {
  const quota = aWait();
  const blocked = aWait({ company: "CGC", outcome: "blocked", message: "CGC refuses", count: 2, until: at(10, 55) });
  const news = (before: ScanWait[], now: ScanWait[]): string | null =>
    newWaitsMessage(aSession({ waits: before }), aSession({ waits: now }), NOW.getTime());
  expect(newWaitsMessage(null, aSession({ waits: [quota] }), NOW.getTime())).toBe(waitMessage(quota, NOW.getTime()));
  expect(news([], [quota])).toBe(waitMessage(quota, NOW.getTime()));
  expect(news([quota], [{ ...quota, count: 80, until: at(15, 0) }])).toBeNull();
  expect(news([quota], [quota, blocked])).toBe("CGC refuses. 2 cards resume at 10:55 AM");
  expect(news([quota], [])).toBeNull();
});

const CARDLADDER = { source: "cardladder", until: at(15, 5), message: "CardLadder's daily limit is used up." } as const;
const CARDSIQ = { source: "cardsiq", until: at(10, 55), message: "" } as const;

test("a wait of prices says how many if only one source is paused", () => {
  const one = { pending: 0, waiting: 120, waits: [CARDLADDER] };
  expect(priceWaitMessage(one, CARDLADDER, NOW.getTime())).toBe(
    "CardLadder's daily limit is used up. 120 prices resume at 3:05 PM",
  );
  expect(priceWaitMessage({ ...one, waiting: 1 }, CARDLADDER, NOW.getTime())).toContain(". 1 price resumes at");
  const both = { ...one, waits: [CARDLADDER, CARDSIQ] };
  expect(priceWaitMessage(both, CARDSIQ, NOW.getTime())).toBe("CardsIQ is paused. Its prices resume at 10:55 AM");
});

test("a wait of prices is announced when it starts, after those of cards", () => {
  const waiting = (waits: ScanSession["prices"]["waits"]): ScanSession =>
    aSession({ prices: { pending: 0, waiting: 3, waits } });
  const message = "CardLadder's daily limit is used up. 3 prices resume at 3:05 PM";
  expect(newWaitsMessage(waiting([]), waiting([CARDLADDER]), NOW.getTime())).toBe(message);
  expect(newWaitsMessage(waiting([CARDLADDER]), waiting([CARDLADDER, CARDSIQ]), NOW.getTime())).toBe(
    "CardsIQ is paused. Its prices resume at 10:55 AM",
  );
  expect(
    newWaitsMessage(waiting([CARDLADDER]), waiting([{ ...CARDLADDER, until: at(16, 5) }]), NOW.getTime()),
  ).toBeNull();
  expect(newWaitsMessage(null, { ...waiting([CARDLADDER]), waits: [aWait()] }, NOW.getTime())).toBe(
    `${waitMessage(aWait(), NOW.getTime())}. ${message}`,
  );
});
