import { expect, test } from "vitest";
import type { AdminFilter } from "../admin-filter.ts";
import { isFaded, isSameMark } from "./MarkButton.tsx";

const ANA = { id: "1", name: "Ana Ruiz" };

test("a mark is chosen if its rows are the chosen ones, in any chart", () => {
  const mark = { day: "2026-11-20", company: "PSA" } as const;
  expect(isSameMark({ company: "PSA", day: "2026-11-20" }, mark)).toBe(true);
  expect(isSameMark({ day: "2026-11-20" }, mark)).toBe(false);
  expect(isSameMark({ user: { ...ANA, name: "Ana" } }, { user: ANA })).toBe(true);
});

test.each<[AdminFilter, AdminFilter, boolean]>([
  [{}, { day: "2026-11-20" }, false],
  [{ day: "2026-11-20" }, { day: "2026-11-20", company: "PSA" }, false],
  [{ day: "2026-11-20" }, { day: "2026-11-19", company: "PSA" }, true],
  [{ day: "2026-11-20" }, { company: "PSA" }, false],
  [{ company: "CGC" }, { day: "2026-11-20", company: "PSA" }, true],
  [{ company: "CGC", day: "2026-11-20" }, { day: "2026-11-20", company: "PSA" }, true],
  [{ outcome: "blocked" }, { outcome: "found" }, true],
  [{ outcome: "blocked" }, { day: "2026-11-20", company: "PSA" }, false],
  [{ user: ANA }, { user: { id: "2", name: "Ben" } }, true],
])("with %j chosen, %j is dimmed: %j", (chosen, mark, isBack) => {
  expect(isFaded(chosen, mark)).toBe(isBack);
});
