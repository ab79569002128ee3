import type { PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import type { ScanPlan } from "@slabdesk/contract/api/plans.ts";
import { originOf } from "@slabdesk/contract/sheet/combine.ts";
import type { Sheet } from "@slabdesk/contract/sheet/sheet.ts";
import { lookupHistoryMessages } from "../../../run/lookup-history-messages.ts";
import { type LineNotes, NOTES_LISTED } from "./sheet-summary.ts";

type Lines = Pick<Sheet, "header" | "rows">;

/** The rows that will wait, as sheet lines. Both lists are sorted by line, so one pass suffices. */
export function waitingLines(
  { rows: waiting, lines, message }: ScanPlan["waits"][number],
  { header, rows }: Lines,
): LineNotes {
  const notes: LineNotes["notes"] = [];
  const ranges = lines[Symbol.iterator]();
  let range = ranges.next().value;
  for (const row of rows) {
    while (range && range[1] < row.line) range = ranges.next().value;
    if (!range || notes.length === NOTES_LISTED) break;
    if (range[0] <= row.line)
      notes.push({ line: row.line, where: originOf(header, row), typed: row.certNumber, message });
  }
  return { count: waiting, notes };
}

/** The cards with a look-up history as sheet lines; each card appears on its first line. */
export function rememberedLines({ total, cards }: PlanLookupHistory, { header, rows }: Lines): LineNotes {
  const byLine = new Map(cards.map((card) => [card.line, card]));
  const notes = rows.flatMap((row) => {
    const card = byLine.get(row.line);
    if (!card) return [];
    const message = lookupHistoryMessages(card).join(". ");
    return [{ line: row.line, where: originOf(header, row), typed: row.certNumber, message }];
  });
  return { count: total, notes };
}
