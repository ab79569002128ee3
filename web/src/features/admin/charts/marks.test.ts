import { expect, test } from "vitest";
import type { DeskFilter } from "../desk-filter.ts";
import { isFaded, toggled } from "./marks.ts";

const ANA = { id: "1", name: "Ana Ruiz" };

test("a click on a mark chooses it, on the chosen one chooses nothing", () => {
  const mark = { day: "2026-11-20", company: "PSA" } as const;
  expect(toggled({}, mark)).toEqual(mark);
  expect(toggled({ day: "2026-11-20" }, mark)).toEqual(mark);
  expect(toggled({ company: "PSA", day: "2026-11-20" }, mark)).toEqual({});
  expect(toggled({ user: { ...ANA, name: "Ana" } }, { user: ANA })).toEqual({});
});

test.each<[DeskFilter, DeskFilter, boolean]>([
  [{}, { day: "2026-11-20" }, false],
  [{ day: "2026-11-20" }, { day: "2026-11-20", company: "PSA" }, false],
  [{ day: "2026-11-20" }, { day: "2026-11-19", company: "PSA" }, true],
  [{ day: "2026-11-20" }, { company: "PSA" }, false],
  [{ company: "CGC" }, { day: "2026-11-20", company: "PSA" }, true],
  [{ company: "CGC", day: "2026-11-20" }, { day: "2026-11-20", company: "PSA" }, true],
  [{ outcome: "blocked" }, { outcome: "found" }, true],
  [{ outcome: "blocked" }, { day: "2026-11-20", company: "PSA" }, false],
  [{ user: ANA }, { user: { id: "2", name: "Ben" } }, true],
])("with %j chosen, %j steps back: %j", (chosen, mark, isBack) => {
  expect(isFaded(chosen, mark)).toBe(isBack);
});
