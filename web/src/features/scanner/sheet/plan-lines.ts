import type { PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import type { ScanPlan } from "@slabdesk/contract/api/plans.ts";
import { originOf } from "@slabdesk/contract/sheet/combine.ts";
import type { SheetRow } from "@slabdesk/contract/sheet/row.ts";
import type { Sheet } from "@slabdesk/contract/sheet/sheet.ts";
import { lookupHistoryMessages } from "../../../run/lookup-history-messages.ts";
import { linesIn } from "../lines/line-filter.ts";
import { type LineNotes, NOTES_LISTED } from "./sheet-summary.ts";

type Lines = Pick<Sheet, "header" | "rows">;

/** The rows that will wait, as sheet lines. */
export function waitingLines({ rows, lines, message }: ScanPlan["waits"][number], sheet: Lines): LineNotes {
  const waiting = linesIn(lines);
  const notes = notesOn(sheet, ({ line }) => (waiting.has(line) ? message : null));
  return { count: rows, notes: notes.slice(0, NOTES_LISTED) };
}

/** The cards with a look-up history as sheet lines; each card appears on its first line. */
export function rememberedLines({ total, cards }: PlanLookupHistory, sheet: Lines): LineNotes {
  const byLine = new Map(cards.map((card) => [card.line, lookupHistoryMessages(card).join(". ")]));
  return { count: total, notes: notesOn(sheet, ({ line }) => byLine.get(line) ?? null) };
}

function notesOn({ header, rows }: Lines, messageOf: (row: SheetRow) => string | null): LineNotes["notes"] {
  return rows.flatMap((row) => {
    const message = messageOf(row);
    return message === null ? [] : [{ line: row.line, where: originOf(header, row), typed: row.certNumber, message }];
  });
}
