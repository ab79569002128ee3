import type { CardHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { expect, test } from "vitest";
import { aWait, sheetOf } from "../plan/plan-factory.test-data.ts";
import { lookupHistoryLines, waitingLines } from "./sheet-work.ts";
import { NOTES_LISTED } from "./sheet-summary.ts";

const SHEET = sheetOf("98174651,PSA", "98174652,PSA", "98174651,PSA", "1401019289294,CGC", "C1240631,TAG", "12,PSA");

test("waiting lines are shown as in the sheet, with the reason", () => {
  const wait = aWait({
    rows: 3,
    lines: [
      [2, 3],
      [5, 5],
    ],
  });
  expect(waitingLines(wait, SHEET)).toEqual({
    count: 3,
    notes: [
      { line: 2, where: "line 2", typed: "98174651", message: wait.message },
      { line: 3, where: "line 3", typed: "98174652", message: wait.message },
      { line: 5, where: "line 5", typed: "1401019289294", message: wait.message },
    ],
  });
});

test("all waiting lines are counted and the first are listed", () => {
  const sheet = sheetOf(...Array.from({ length: NOTES_LISTED + 1 }, (_, index) => `${98_174_651 + index},PSA`));
  const { count, notes } = waitingLines(aWait({ rows: NOTES_LISTED + 1, lines: [[2, NOTES_LISTED + 2]] }), sheet);
  expect(count).toBe(NOTES_LISTED + 1);
  expect(notes).toHaveLength(NOTES_LISTED);
  expect(notes.at(-1)?.line).toBe(NOTES_LISTED + 1);
});

test("cards with lookup history are shown as in the sheet, with who looked them up", () => {
  const sheet = sheetOf("98174651,PSA", "'98174652,PSA", "98174651,PSA", "C1240631,TAG");
  const ana = { by: "Ana Ruiz", at: new Date(2026, 4, 3, 12).toISOString() };
  const card = (line: number, certNumber: string, history: Partial<CardHistory>) => ({
    line,
    gradingCompany: "PSA",
    certNumber,
    own: null,
    colleague: null,
    isTwiceOpen: false,
    ...history,
  });
  const cards = [
    card(2, "98174651", { isTwiceOpen: true }),
    card(3, "98174652", { colleague: ana, isTwiceOpen: true }),
  ];
  expect(lookupHistoryLines({ total: 240, own: 0, colleagues: 1, twiceOpen: 240, cards }, sheet)).toEqual({
    count: 240,
    notes: [
      { line: 2, where: "line 2", typed: "98174651", message: "Also in another open session" },
      {
        line: 3,
        where: "line 3",
        typed: "'98174652",
        message: "Looked up by Ana Ruiz on May 3, 2026. Also in another open session",
      },
    ],
  });
});
