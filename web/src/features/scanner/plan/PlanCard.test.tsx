import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NetworkError } from "../../../api/errors.ts";
import { aPlan, aPricePlan, aWall, aWait, later, NOW, sheetOf } from "./plan-factory.test-data.ts";
import { summarizeSheet } from "../sheet/sheet-summary.ts";
import type { Planning } from "./use-plan.ts";
import { PlanCard } from "./PlanCard.tsx";

const SHEET = sheetOf("98174651,PSA,cheap", "98174651,PSA", "1401019289-294,CGC", "12,PSA");
const refetch: Planning["refetch"] = () => Promise.reject(new Error("Nothing is asked here"));
const LOADING: Planning = { data: undefined, error: null, isLoading: true, refetch };

function markupOf(planning: Planning, { hasQuota = true, hasPrices = false, sheet = SHEET } = {}): string {
  const { summary } = summarizeSheet(sheet);
  return renderToStaticMarkup(
    <MantineProvider>
      <PlanCard summary={summary} planning={planning} hasQuota={hasQuota} hasPrices={hasPrices} />
    </MantineProvider>,
  );
}

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<style.*?<\/style>/gs, "")
    .replaceAll(/<[^>]+>/g, "|")
    .replaceAll(/\|+/g, "|")
    .replaceAll("&#x27;", "'");

const planned = (fields: Parameters<typeof aPlan>[0] = {}): Planning => ({
  data: {
    plan: aPlan(fields),
    waiting: [],
    history: { count: fields.lookupHistory?.total ?? 0, notes: [] },
    plannedAtMs: NOW.getTime(),
  },
  error: null,
  isLoading: false,
  refetch,
});

test("shows the sheet's own numbers before the server answers, with placeholders for the rest", () => {
  const markup = markupOf(LOADING);
  expect(markup).toContain('aria-busy="true"');
  expect(textOf(markup)).toBe(
    "|to look up|2|from cache|duplicates|1|company guessed|0|to fix|1|Time|PSA|1 card|CGC|1 card|PSA quota today|",
  );
});

test("has a placeholder for the quota only if the user may see it", () => {
  expect(textOf(markupOf(LOADING, { hasQuota: false }))).not.toContain("quota");
  expect(textOf(markupOf(planned({ quota: null })))).not.toContain("quota");
  const quota = { before: 1840, after: 1648, total: 2500, isConfirmed: true, resetsAt: null };
  expect(textOf(markupOf(planned({ quota })))).toContain("PSA quota today|1,840 → 1,648 left");
  const unconfirmed = textOf(markupOf(planned({ quota: { ...quota, isConfirmed: false } })));
  expect(unconfirmed).toContain("Daily limit|2,500 (not confirmed by PSA yet)");
});

test("shows what waits, what will fail, and when the run ends", () => {
  const text = textOf(
    markupOf(planned({ waits: [aWait()], notConfigured: [{ company: "CGC", rows: 1, message: "CGC is not set up" }] })),
  );
  expect(text).toContain("PSA|96 cards · 192 API calls");
  expect(text).toContain("CGC|not set up");
  expect(text).toContain("Time|about 8 min of work| · ends about 2:08 PM");
  expect(text).toContain("46 PSA cards wait until 2:05 PM tomorrow · |see which");
  expect(text).toContain("1 CGC card will fail: CGC is not set up");
});

test("says beforehand which company refuses us, and that the run checks it", () => {
  const text = textOf(markupOf(planned({ sources: [], walls: [aWall()] })));
  expect(text).toMatch(
    /PSA's website has refused us since \d+:\d\d [AP]M\. 120 rows would be blocked\. The first card checks again/,
  );
  expect(text).toContain("PSA|no calls, access refused");
});

test("marks a plan of other options until the new one arrives", () => {
  expect(markupOf({ ...planned(), isLoading: true })).toContain('aria-busy="true"');
  expect(markupOf(planned())).toContain('aria-busy="false"');
});

test("without the server, shows the sheet's numbers and a button to try again", () => {
  const markup = markupOf({ data: undefined, error: new NetworkError(), isLoading: false, refetch });
  const text = textOf(markup);
  expect(text).toContain("PSA|1 card");
  expect(text).toContain("Time|–");
  expect(text).toContain(
    "You can still start. Could not connect to backend server. Please ensure it is running.|Try again",
  );
  expect(markup).toContain('aria-busy="false"');
});

test("counts cards with lookup history by person, and those in another open session", () => {
  expect(textOf(markupOf(planned()))).not.toContain("Looked up before");
  const lookupHistory = { total: 15, own: 12, colleagues: 3, twiceOpen: 2, cards: [] };
  expect(textOf(markupOf(planned({ lookupHistory })))).toContain(
    "|Looked up before|12 by you|3 by colleagues|2 also in another open session|see which|",
  );
  expect(textOf(markupOf(planned({ lookupHistory: { ...lookupHistory, own: 0, colleagues: 0 } })))).toContain(
    "|Open twice|2 also in another open session|see which|",
  );
});

test("has placeholders for prices once they are chosen, then their numbers and waits", () => {
  expect(textOf(markupOf(planned(), { hasPrices: false }))).not.toContain("CardLadder");
  expect(textOf(markupOf(LOADING, { hasPrices: true }))).toContain("|CardLadder|CardsIQ|");
  const prices = [
    aPricePlan({ until: later(1, 5), message: "CardLadder's daily limit is used up" }),
    aPricePlan({ source: "cardsiq", isOn: false, cards: 0, cached: 0, calls: 0 }),
  ];
  const markup = markupOf(planned({ prices }), { hasPrices: true });
  expect(textOf(markup)).toContain(
    "|CardLadder|212 prices · |636 calls · |88 known|CardLadder's daily limit is used up. Next try at 3:05 PM|CardsIQ|not set up|",
  );
  const refused = [{ company: "CGC" as const, cards: 1, until: later(1, 5) }];
  expect(textOf(markupOf(planned({ prices: [aPricePlan({ refused })] }), { hasPrices: true }))).toContain(
    "|88 known|1 CGC card gets no price: CardLadder refuses CGC cards. Next try at 3:05 PM|",
  );
  expect(markup).toContain('title="CardLadder: 212 prices to fetch in 636 calls, 88 known from the last day"');
});
