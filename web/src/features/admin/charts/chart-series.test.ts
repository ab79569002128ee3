import { expect, test } from "vitest";
import { calledSources, callSeries, companySeries, daysOf } from "./chart-series.ts";
import { someCharts } from "./charts-factory.test-data.ts";

test("every day has a bar, even an empty one, across a month's end and a change to daylight saving time", () => {
  expect(daysOf({ from: "2026-10-30", to: "2026-11-02" })).toEqual([
    "2026-10-30",
    "2026-10-31",
    "2026-11-01",
    "2026-11-02",
  ]);
  expect(daysOf({ from: "2026-11-21", to: "2026-11-21" })).toEqual(["2026-11-21"]);
});

const CARDS = someCharts({
  days: [
    { day: "2026-11-19", company: "TAG", cards: 2, value: 10 },
    { day: "2026-11-19", company: "PSA", cards: 5, value: 100.5 },
    { day: "2026-11-21", company: "PSA", cards: 1, value: 0 },
    { day: "2026-11-21", company: "other", cards: 3, value: 0 },
  ],
});

test("cards by day: a part for each company with cards, in a fixed order, with its total and its mark", () => {
  const { days, parts, total } = companySeries(CARDS, "cards");
  expect(parts.map(({ key, total: sum, mark }) => [key, sum, mark])).toEqual([
    ["PSA", 6, { company: "PSA" }],
    ["TAG", 2, { company: "TAG" }],
    ["other", 3, { company: "other" }],
  ]);
  expect(days.map((day) => [day.day, day.total, day.sizes])).toEqual([
    ["2026-11-19", 7, { TAG: 2, PSA: 5 }],
    ["2026-11-20", 0, {}],
    ["2026-11-21", 4, { PSA: 1, other: 3 }],
  ]);
  expect(total).toBe(11);
});

test("the same days by card value", () => {
  const { parts, total } = companySeries(CARDS, "value");
  expect(parts.map(({ key, total: sum }) => [key, sum])).toEqual([
    ["PSA", 100.5],
    ["TAG", 10],
  ]);
  expect(total).toBe(110.5);
});

const CALLS = someCharts({
  calls: [
    { day: "2026-11-20", source: "cardladder", calls: 40 },
    { day: "2026-11-20", source: "cgc", calls: 7 },
    { day: "2026-11-21", source: "cgc", calls: 2 },
  ],
  quotas: { psa: 2500 },
});

test("an upstream is included if it was called or has a limit", () => {
  expect(calledSources(CALLS)).toEqual([
    { name: "psa", title: "PSA", quota: 2500 },
    { name: "cgc", title: "CGC", quota: null },
    { name: "cardladder", title: "CardLadder", quota: null },
  ]);
});

test("a grader's calls lead to its company's rows, a price source's only to the day", () => {
  const cgc = callSeries(CALLS, "cgc");
  expect(cgc.days.map(({ total }) => total)).toEqual([0, 7, 2]);
  expect(cgc.parts.map(({ mark }) => mark)).toEqual([{ company: "CGC" }]);
  expect(callSeries(CALLS, "cardladder").parts.map(({ mark }) => mark)).toEqual([{}]);
  expect(callSeries(CALLS, "psa")).toMatchObject({ total: 0, parts: [] });
});
