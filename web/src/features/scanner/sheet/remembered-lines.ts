import type { PlanMemory } from "@slabdesk/contract/api/memory.ts";
import { originOf } from "@slabdesk/contract/sheet/combine.ts";
import type { Sheet } from "@slabdesk/contract/sheet/sheet.ts";
import { memoryWords } from "../../../table/memory-words.ts";
import type { LineNotes } from "../sheet-summary.ts";

/** The cards that something is remembered of, as the sheet has them; each on the first of its lines. */
export function rememberedLines(
  { total, cards }: PlanMemory,
  nowMs: number,
  { header, rows }: Pick<Sheet, "header" | "rows">,
): LineNotes {
  const byLine = new Map(cards.map((card) => [card.line, card]));
  const notes = rows.flatMap((row) => {
    const card = byLine.get(row.line);
    if (!card) return [];
    const words = memoryWords(card, nowMs).join(". ");
    return [{ line: row.line, where: originOf(header, row), typed: row.certNumber, words }];
  });
  return { count: total, notes };
}
