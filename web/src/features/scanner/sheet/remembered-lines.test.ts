import type { CardHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { expect, test } from "vitest";
import { NOW, sheetOf } from "../plan/plan-factory.test-data.ts";
import { rememberedLines } from "./remembered-lines.ts";

test("cards with look-up history are shown as in the sheet, with who looked them up", () => {
  const sheet = sheetOf("98174651,PSA", "'98174652,PSA", "98174651,PSA", "C1240631,TAG");
  const ana = { by: "Ana Ruiz", at: new Date(2026, 4, 3, 12).toISOString() };
  const card = (line: number, certNumber: string, remembered: Partial<CardHistory>) => ({
    line,
    gradingCompany: "PSA",
    certNumber,
    own: null,
    colleague: null,
    isTwiceOpen: false,
    ...remembered,
  });
  const cards = [
    card(2, "98174651", { isTwiceOpen: true }),
    card(3, "98174652", { colleague: ana, isTwiceOpen: true }),
  ];
  expect(rememberedLines({ total: 240, own: 0, colleagues: 1, twiceOpen: 240, cards }, NOW.getTime(), sheet)).toEqual({
    count: 240,
    notes: [
      { line: 2, where: "line 2", typed: "98174651", message: "Also in another open session" },
      {
        line: 3,
        where: "line 3",
        typed: "'98174652",
        message: "Looked up by Ana Ruiz on 3 May. Also in another open session",
      },
    ],
  });
});
