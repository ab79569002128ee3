import { scanPlanRequestSchema } from "@slabdesk/contract/api/plans.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { judgeRow } from "@slabdesk/contract/sheet/row.ts";

/** A cert of a sheet, and the lines it is on. */
export type PlannedCard = { company: Company; certNumber: string; lines: [number, ...number[]] };

/**
 * A sheet to plan, with its certs instead of its rows. They are in look-up order, which is row order. Uses `judgeRow` as
 * the run does, but does not build the rows: for 100,000 rows that is most of the work.
 */
export const plannedSheetSchema = scanPlanRequestSchema.transform(({ rows, ...options }) => {
  const cards = new Map<string, PlannedCard>();
  let damaged = 0;
  for (const { line, certNumber: typed, gradingCompany } of rows) {
    const verdict = judgeRow({ certNumber: typed, gradingCompany, price: "" }, options);
    if (verdict.kind === "invalid") {
      damaged += 1;
      continue;
    }
    const { company, certNumber } = verdict;
    const name = `${company} ${certNumber}`;
    const card = cards.get(name);
    if (card) card.lines.push(line);
    else cards.set(name, { company, certNumber, lines: [line] });
  }
  return { ...options, totalRows: rows.length, damaged, cards: [...cards.values()] };
});
