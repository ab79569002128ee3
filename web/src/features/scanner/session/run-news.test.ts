import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { expect, test } from "vitest";
import { newsOf } from "./use-run-news.ts";
import { aSession } from "../../../run/session-factory.test-data.ts";

const NOW = Date.parse("2026-11-21T10:05:00Z");
const running = aSession();
const done = aSession({ status: "completed", counts: { completed: 3 }, eventSeq: 9 });
const other = aSession({ id: "session-2", status: "completed", counts: { completed: 8 } });
const waiting = aSession({
  counts: { waiting: 2, pending: 1 },
  waits: [
    {
      company: "PSA",
      outcome: "blocked",
      canScrape: true,
      until: "2026-11-21T10:06:00Z",
      count: 2,
      message: "PSA refuses",
    },
  ],
});

test.each([
  ["a run that comes on the screen", null, running, false, true, false, "Processing started: 3 cards"],
  ["a card of it", running, aSession({ processedCards: 1 }), false, false, null, null],
  ["its end", running, done, false, true, true, "Processing completed: 3 done"],
  ["an end that was there before", null, done, false, true, false, null],
  ["an end at once of what was started here", other, done, true, true, true, "Processing completed: 3 done"],
  [
    "a run that goes on after its end",
    done,
    aSession({ counts: { pending: 2, completed: 1 } }),
    false,
    true,
    false,
    "Processing continues: 2 cards to look up",
  ],
  ["another session", running, other, false, true, false, null],
  ["an empty screen", done, null, false, true, false, null],
  ["an empty screen that stays so", null, null, false, false, null, null],
] as const)("%s", (_name, seen, session, isOwnStart, isChanged, hasEnded, message) => {
  expect(newsOf(seen, session, isOwnStart, NOW)).toEqual({ isChanged, hasEnded, message });
});

const prices = (pending: number, waiting = 0): ScanSession["prices"] => ({ pending, waiting, waits: [] });
const cardsDone = aSession({ counts: { completed: 3 }, prices: prices(3) });
const late = { ...done, prices: prices(0, 3) };

test("a run ends when its prices are there; waiting prices do not delay it", () => {
  const news = { isChanged: true, hasEnded: true, message: "Processing completed: 3 done" };
  expect(newsOf(cardsDone, done, false, NOW)).toEqual(news);
  expect(newsOf(cardsDone, late, false, NOW)).toEqual(news);
});

test.each([
  ["prices that are fetched again", done, { ...done, prices: prices(3) }, null],
  ["a price of them", { ...done, prices: prices(3) }, { ...done, prices: prices(2) }, null],
  ["the last of them", { ...done, prices: prices(1) }, done, "All prices are in"],
  ["the last one that can come now", { ...done, prices: prices(1) }, { ...done, prices: prices(0, 1) }, null],
  ["a late price", late, { ...done, prices: prices(0, 2) }, null],
  ["the last late price", late, done, "All prices are in"],
  ["the last price so far of a run", { ...cardsDone, prices: prices(1) }, { ...running, prices: prices(0) }, null],
] as const)("%s starts and ends no run", (_name, seen, session, message) => {
  expect(newsOf(seen, session, false, NOW)).toEqual({ isChanged: false, hasEnded: null, message });
});

test("a wait is announced once, when it starts", () => {
  expect(newsOf(running, waiting, false, NOW).message).toMatch(/^PSA refuses. 2 cards resume at \d+:\d\d [AP]M$/);
  expect(newsOf(waiting, { ...waiting, processedCards: 1 }, false, NOW).message).toBeNull();
  expect(newsOf(null, waiting, false, NOW).message).toMatch(
    /^Processing started: 3 cards\. PSA refuses\. 2 cards resume/,
  );
});
