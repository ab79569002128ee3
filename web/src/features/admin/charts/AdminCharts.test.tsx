import { MantineProvider } from "@mantine/core";
import type { AdminCharts } from "@slabdesk/contract/api/stats.ts";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { AdminFilter } from "../admin-filter.ts";
import { FiveCharts } from "./AdminCharts.tsx";
import { CARDS, companySeries } from "./chart-series.ts";
import { someCharts } from "./charts-factory.test-data.ts";
import { DayTable } from "./DayCharts.tsx";

const nothing = (): void => {};

function markupOf(charts: AdminCharts, filter: AdminFilter = {}): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <FiveCharts charts={charts} filter={filter} onFilter={nothing} />
    </MantineProvider>,
  );
}

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<style.*?<\/style>|<[^>]+>/gs, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ");

const pressed = (markup: string): string[] =>
  [...markup.matchAll(/<button[^>]*aria-pressed="true"[^>]*>(.*?)<\/button>/gs)].map(([, inside = ""]) =>
    textOf(inside).trim(),
  );

const CHARTS = someCharts({
  days: [
    { day: "2026-11-20", company: "PSA", cards: 5, value: 100 },
    { day: "2026-11-21", company: "CGC", cards: 2, value: 20.4 },
  ],
  causes: [
    { outcome: "not_found", cards: 1 },
    { outcome: "found", cards: 6 },
  ],
  people: [{ userId: "1", fullName: "Ana Ruiz", email: "ana@slabdesk.test", cards: 7 }],
  calls: [{ day: "2026-11-21", source: "psa", calls: 12 }],
  quotas: { psa: 2500 },
});

test("each chart has a text summary", () => {
  const text = textOf(markupOf(CHARTS));
  expect(text).toContain("Scans per day 7 cards in 90 days PSA 5 CGC 2");
  expect(text).toContain("Market value looked up $120 in 90 days PSA $100 CGC $20.4");
  expect(text).toContain("Upstream calls 12 calls today PSA");
  expect(text).toContain("Success by cause 86% found Found 6 1 other, by cause Not found 1");
  expect(text).toContain("Cards per user 1 person Ana Ruiz 7");
});

test("a chart of days announces its newest day to screen readers", () => {
  expect(markupOf(CHARTS)).toContain('aria-valuetext="Nov 21, 2026: 2 cards"');
});

test("the chosen mark is pressed, the others are dimmed", () => {
  const markup = markupOf(CHARTS, { company: "CGC" });
  expect(pressed(markup)).toEqual(["CGC 2", "CGC $20.4", "PSA"]);
  expect(markup.match(/<button[^>]*data-faded="true"/g)?.length).toBe(2);
  expect(markup.match(/data-mark="PSA [^>]*data-faded="true"/g)?.length).toBe(2);
  expect(markup).not.toMatch(/data-mark="CGC [^>]*data-faded/);
  expect(pressed(markupOf(CHARTS, { user: { id: "1", name: "Ana Ruiz" } }))).toContain("Ana Ruiz 7");
});

test("without a card every chart says so", () => {
  const text = textOf(markupOf(someCharts()));
  expect(text.match(/No cards were processed in the last 90 days/g)?.length).toBe(2);
  expect(text).toContain("No cards were priced in the last 90 days");
  expect(text).toContain("No calls in the last 90 days");
  expect(text).toContain("Nobody has scanned a card in the last 90 days");
});

test("a chart's table has the newest day first, and omits days without cards", () => {
  const table = renderToStaticMarkup(
    <MantineProvider>
      <DayTable label="Scans per day" series={companySeries(CHARTS, "cards")} unit={CARDS} />
    </MantineProvider>,
  );
  expect(textOf(table).trim()).toBe("Day PSA CGC Nov 21, 2026 2 cards Nov 20, 2026 5 cards");
});
