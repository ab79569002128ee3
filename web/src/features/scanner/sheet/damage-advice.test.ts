import { judgeRow } from "@slabdesk/contract/sheet/row.ts";
import { expect, test } from "vitest";
import { adviceFor } from "./damage-advice.ts";

test.each([
  ["", "PSA", /^Type the number/],
  ["C1240631", "", /^“Accept all” in the plan looks it up at TAG/],
  ["1401019289294", "PSA", /looks it up at CGC/],
  ["hello", "", /^The number does not tell its company/],
  ["98174651", "BGS", /^The row stays in your sheet/],
  ["1.45531E+08", "PSA", /^nothing$/],
  ["12", "PSA", /^nothing$/],
])("%j at %j: %s", (certNumber, gradingCompany, advice) => {
  const verdict = judgeRow({ certNumber, gradingCompany, price: "" });
  if (verdict.kind === "ready") throw new Error("The row is not damaged");
  expect(adviceFor({ certNumber, gradingCompany }, verdict) ?? "nothing").toMatch(advice);
});
