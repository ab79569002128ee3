import { expect, test } from "vitest";
import type { AdminFilter } from "../admin-filter.ts";
import { activityQuery, EVERYTHING, type LogChoice } from "./ActivityPanel.tsx";

const ANA = { id: "u1", name: "Ana Ruiz" };

test.each<[string, AdminFilter, Partial<LogChoice>, ReturnType<typeof activityQuery>]>([
  ["nothing", {}, {}, {}],
  ["a person", { user: ANA }, {}, { userId: "u1" }],
  [
    "the day of a mark, not its company",
    { day: "2026-11-12", company: "CGC" },
    {},
    { from: "2026-11-12", to: "2026-11-12" },
  ],
  [
    "the day of a mark before days that were chosen",
    { day: "2026-11-12" },
    { from: "2026-11-01" },
    { from: "2026-11-12", to: "2026-11-12" },
  ],
  ["an open range", {}, { from: "2026-11-01" }, { from: "2026-11-01" }],
  [
    "a range the wrong way round",
    {},
    { from: "2026-11-09", to: "2026-11-01" },
    { from: "2026-11-01", to: "2026-11-09" },
  ],
  ["a type", {}, { type: "session_deleted" }, { type: "session_deleted" }],
])("the query for %s", (_, filter, choice, query) => {
  expect(activityQuery(filter, { ...EVERYTHING, ...choice })).toEqual(query);
});
