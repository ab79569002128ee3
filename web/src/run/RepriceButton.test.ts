import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import { expect, test } from "vitest";
import { repricedMessage, repriceState } from "./run-actions.tsx";
import { aSession } from "./session-factory.test-data.ts";

const BOTH = ["cardladder", "cardsiq"] as const;
const done = aSession({ status: "completed", includePricing: true, counts: { completed: 290, error: 10 } });
const prices = (pending: number, waiting = 0) => ({ pending, waiting, waits: [] });
const view = (session: Parameters<typeof repriceState>[0], sources: PriceSourceName[] = [...BOTH]) =>
  repriceState(session, sources);

test("says before a reprice what it covers, without graders", () => {
  const message = "Get prices for 290 cards again (no lookups used)";
  expect(view(done)).toEqual({ label: "Reprice", message, state: "ready" });
});

test("the same button prices a session without prices", () => {
  expect(view({ ...done, includePricing: false, counts: { completed_retry: 1 } })).toEqual({
    label: "Get prices",
    message: "Get prices for 1 card (no lookups used)",
    state: "ready",
  });
});

test("shows how many prices are being fetched, and is disabled meanwhile", () => {
  expect(view({ ...done, prices: prices(1800) })).toMatchObject({ label: "1,800 left", state: "busy" });
  const running = { ...done, status: "processing", counts: { completed: 1, pending: 2 } } as const;
  expect(view({ ...running, prices: prices(1) })).toMatchObject({ label: "Reprice", state: "busy" });
  expect(view({ ...running, includePricing: false })).toMatchObject({ label: "Get prices", state: "ready" });
});

test("is disabled without cards or without a source", () => {
  expect(view(null)).toMatchObject({ label: "Get prices", state: "off" });
  expect(view(aSession({ status: "completed", counts: { error: 3 } })).state).toBe("off");
  expect(view(done, [])).toMatchObject({ message: "No price source is set up", state: "off" });
  expect(repriceState(done, null).state).toBe("ready");
});

test.each([
  [prices(300, 20), "Getting 300 prices (no lookups used)"],
  [prices(1), "Getting 1 price (no lookups used)"],
  [prices(0, 20), "20 prices wait (no lookups used)"],
  [prices(0), "All prices are less than 24 hours old"],
])("an answer with %j reads %j", (answered, message) => {
  expect(repricedMessage({ ...done, prices: answered })).toBe(message);
});
