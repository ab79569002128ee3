import type { RowVerdict, SheetRow } from "@slabdesk/contract/sheet/row.ts";

type Damage = Extract<RowVerdict, { kind: "invalid" }>;

/** Advice for a row that can't be looked up; null if the row's own message suffices. */
export function adviceFor(
  { certNumber, gradingCompany }: Pick<SheetRow, "certNumber" | "gradingCompany">,
  { suggestion, outcome }: Damage,
): string | null {
  if (certNumber.trim() === "") return "Type the number from the slab's label into the sheet, or scan it";
  if (suggestion !== null) return `“Accept all” in the plan looks it up at ${suggestion}, which its number names`;
  if (gradingCompany.trim() === "") return "The number does not tell its company: write it into the sheet";
  return outcome === "invalid_row" ? "The row stays in your sheet with this remark" : null;
}
