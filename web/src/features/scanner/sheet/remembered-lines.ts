import type { PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { originOf } from "@slabdesk/contract/sheet/combine.ts";
import type { Sheet } from "@slabdesk/contract/sheet/sheet.ts";
import { lookupHistoryMessages } from "../../../run/lookup-history-messages.ts";
import type { LineNotes } from "./sheet-summary.ts";

/** The cards with a look-up history as sheet lines; each card appears on its first line. */
export function rememberedLines(
  { total, cards }: PlanLookupHistory,
  nowMs: number,
  { header, rows }: Pick<Sheet, "header" | "rows">,
): LineNotes {
  const byLine = new Map(cards.map((card) => [card.line, card]));
  const notes = rows.flatMap((row) => {
    const card = byLine.get(row.line);
    if (!card) return [];
    const message = lookupHistoryMessages(card, nowMs).join(". ");
    return [{ line: row.line, where: originOf(header, row), typed: row.certNumber, message }];
  });
  return { count: total, notes };
}
