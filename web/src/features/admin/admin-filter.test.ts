import { describe, expect, it } from "vitest";
import { type AdminFilter, filterChips } from "./admin-filter.ts";

const user = { id: "u1", name: "Ana Ruiz" };

describe("filterChips", () => {
  it.each<[string, AdminFilter, { label: string; rest: AdminFilter }[]]>([
    ["nothing is narrowed", {}, []],
    ["a bar of a day", { company: "CGC", day: "2026-11-12" }, [{ label: "CGC · Nov 12, 2026", rest: {} }]],
    ["rows of no company", { company: "other" }, [{ label: "No company", rest: {} }]],
    ["a cause", { outcome: "not_found" }, [{ label: "Not found", rest: {} }]],
    ["a day of UTC, wherever it is read", { day: "2026-01-01" }, [{ label: "Jan 1, 2026", rest: {} }]],
    [
      "a person and a mark go one by one",
      { user, outcome: "blocked", day: "2026-11-02" },
      [
        { label: "Ana Ruiz", rest: { outcome: "blocked", day: "2026-11-02" } },
        { label: "Blocked · Nov 2, 2026", rest: { user } },
      ],
    ],
  ])("%s", (_name, filter, chips) => {
    expect(filterChips(filter)).toEqual(chips);
  });
});
