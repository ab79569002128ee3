import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RowsStore } from "../../../run/rows-store.ts";
import type { RowFilter } from "../../../table/filter/row-filter.ts";
import { SessionCard } from "./SessionCard.tsx";
import { aSession } from "../../../run/session-factory.test-data.ts";

type Scene = { filter?: RowFilter; scraping?: "on" | "off"; isBusy?: boolean };

function markupOf(session: ScanSession, { filter = "all", scraping = "on", isBusy = false }: Scene = {}): string {
  const nothing = (): void => {};
  return renderToStaticMarkup(
    <MantineProvider>
      <SessionCard
        session={session}
        rows={new RowsStore()}
        actions={{
          isBusy,
          stop: nothing,
          resume: nothing,
          retryFailed: nothing,
          acceptCompanies: nothing,
          lookUpByPage: nothing,
          stopPrices: nothing,
        }}
        table={{ filter, toggleFilter: nothing, editFirstInvalid: nothing }}
        scraping={scraping}
      />
    </MantineProvider>,
  );
}

const buttonsOf = (markup: string): string[] =>
  [...markup.matchAll(/<button.*?<\/button>/gs)].map(([button]) => textOf(button)).filter((text) => text !== "");
const textOf = (markup: string): string =>
  markup.replaceAll(/<style.*?<\/style>|<[^>]+>/gs, "").replaceAll("&#x27;", "'");

const FAILED_CARDS = {
  totalCards: 130,
  processedCards: 130,
  status: "completed",
  counts: { completed: 104, error: 25, failed: 1 },
  causes: { not_found: 5, timeout: 4, unavailable: 10, invalid_number: 3, not_configured: 4 },
} as const;

test("while failed cards of a stopped run are retried, the card says that the others stay stopped", () => {
  const retried = { isPartial: true, totalCards: 50, counts: { completed: 2, pending: 45, processing: 3 } };
  const text = textOf(markupOf(aSession(retried)));
  expect(text).toContain("Retrying failed cards. The others stay stopped");
  expect(text).not.toContain("You can close this tab");
});

test("a finished run has one button for each kind of failure", () => {
  const markup = markupOf(aSession(FAILED_CARDS));
  expect(buttonsOf(markup)).toEqual([
    "Retry 18 failed cards",
    "Fix 3 rows",
    "Not found: 5",
    "Needs an administrator: 4",
  ]);
  expect(textOf(markup)).toContain("104 done");
  expect(textOf(markup)).toContain("5 not found14 to retry7 to fix");
});

test("one card is singular", () => {
  const run = aSession({ status: "completed", counts: { error: 2 }, causes: { blocked: 1, invalid_row: 1 } });
  expect(buttonsOf(markupOf(run))).toEqual(["Retry 1 card (grader was down)", "Fix 1 row"]);
});

test("failures that need an administrator can be shown alone", () => {
  const markup = markupOf(aSession(FAILED_CARDS), { filter: "needs_admin" });
  expect(markup).toMatch(/aria-pressed="true"[^>]*>(?:(?!<\/button>).)*Needs an administrator/s);
});

test("a stopped run offers to continue, unless that is already requested", () => {
  const stopped = aSession({
    status: "failed",
    totalCards: 100,
    processedCards: 17,
    counts: { completed: 17, pending: 82, processing: 1 },
  });
  expect(buttonsOf(markupOf(stopped))).toEqual(["Resume · 82 left"]);
  expect(markupOf(stopped, { isBusy: true })).toMatch(/aria-disabled="true"[^>]*>(?:(?!<\/button>).)*Resume/s);
  expect(buttonsOf(markupOf(aSession({ status: "failed", counts: { completed: 3 } })))).toEqual([]);
});

const WAITING = aSession({
  totalCards: 60,
  processedCards: 14,
  counts: { completed: 14, waiting: 46 },
  waits: [
    {
      company: "PSA",
      outcome: "quota_exhausted",
      canScrape: true,
      until: "2126-11-21T14:05:00Z",
      count: 46,
      message: "PSA's limit of 100 API calls per day is used up",
    },
  ],
});

test("a wait has a countdown and says that only waiting rows remain", () => {
  const text = textOf(markupOf(WAITING));
  expect(text).toMatch(
    /PSA's limit of 100 API calls per day is used up\. 46 cards resume .+ \d+:\d\d [AP]M \(in [\d ]+h/,
  );
  expect(text).toContain("46 waiting");
  expect(text).toContain("Everything else is done");
});

test("a wait for PSA's quota offers web scraping where it is allowed", () => {
  expect(buttonsOf(markupOf(WAITING))).toEqual(["Look up with web scraping"]);
  expect(buttonsOf(markupOf(WAITING, { scraping: "off" }))).toEqual([]);
});

test("prices to come are shown with the cards, and as remaining when the cards are done", () => {
  const running = aSession({ includePricing: true, counts: { pending: 2, completed: 1 } });
  expect(textOf(markupOf(running))).toContain("0 prices left");
  expect(textOf(markupOf(aSession()))).not.toContain("Prices");
  const cardsDone = { counts: { completed: 3 }, prices: { pending: 180, waiting: 0, waits: [] } };
  const markup = markupOf(aSession({ includePricing: true, processedCards: 3, ...cardsDone }));
  expect(textOf(markup)).toContain("3 done180 prices left");
  expect(markup).toContain('aria-label="Prices fetched"');
  expect(textOf(markupOf(aSession({ status: "completed", ...cardsDone })))).toContain("180 prices left");
});

test("waiting prices have a countdown", () => {
  const until = "2126-11-21T14:05:00Z";
  const waits = [{ source: "cardladder" as const, until, message: "CardLadder's daily limit is used up" }];
  const late = aSession({ status: "completed", prices: { pending: 0, waiting: 120, waits } });
  expect(textOf(markupOf(late))).toMatch(/CardLadder's daily limit is used up\. 120 prices resume .* \(in [\d ]+h/);
});

test("a run stopped with its cards done continues with its prices", () => {
  const stopped = aSession({ status: "failed", includePricing: true, counts: { completed: 3 } });
  expect(buttonsOf(markupOf(stopped))).toEqual(["Resume"]);
  expect(textOf(markupOf(stopped))).not.toContain("not looked up");
  expect(buttonsOf(markupOf({ ...stopped, includePricing: false }))).toEqual([]);
});

test("prices that are fetched after the cards can be stopped", () => {
  const prices = { pending: 2, waiting: 0, waits: [] };
  for (const status of ["completed", "failed"] as const) {
    const repriced = aSession({ status, includePricing: true, counts: { completed: 3 }, prices });
    expect(buttonsOf(markupOf(repriced))).toEqual(["Stop fetching prices"]);
  }
});

test("timed-out cards are listed as queued, and can be retried when they have failed", () => {
  expect(textOf(markupOf(aSession({ counts: { queued: 1 } })))).toContain("1 queued");
  const failed = aSession({ status: "completed", counts: { completed_retry: 1, failed: 1 }, causes: { timeout: 1 } });
  expect(textOf(markupOf(failed))).toContain("1 done");
  expect(buttonsOf(markupOf(failed))).toEqual(["Retry 1 card (grader was down)"]);
});

test("states without cards are not listed", () => {
  const text = textOf(markupOf(aSession()));
  expect(text).toContain("0 done3 pending");
  for (const state of ["in progress", "queued", "waiting", "not found", "outage", "need"])
    expect(text).not.toContain(state);
});
