import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import type { SheetField } from "@slabdesk/contract/sheet/header.ts";
import type { SheetMapping } from "@slabdesk/contract/sheet/sheet.ts";

/** Field labels of the column selection. */
export const FIELD_LABELS: Record<SheetField, string> = {
  certNumber: "Certificate number",
  gradingCompany: "Grading company",
  price: "Price",
  notes: "Notes",
  name: "Card name",
  grade: "Grade",
  year: "Year",
  set: "Set",
};

/** One option of a field's select; `withChoice` accepts its value. */
export type ColumnOption = { value: string; label: string };

const NONE = "";
const COMPANY_PREFIX = "all ";

/** A field's options: a column, none, and for the company also one company for all rows. */
export function optionsFor(field: SheetField, header: readonly string[]): ColumnOption[] {
  const columns = header.map((name, index) => ({ value: String(index), label: columnName(name, index) }));
  switch (field) {
    case "certNumber":
      return [{ value: NONE, label: "Choose a column" }, ...columns];
    case "gradingCompany": {
      const forAll = COMPANIES.map((company) => ({
        value: COMPANY_PREFIX + company,
        label: `All cards are ${company}`,
      }));
      return [{ value: NONE, label: "As the numbers tell" }, ...forAll, ...columns];
    }
    default:
      return [{ value: NONE, label: "Not in this sheet" }, ...columns];
  }
}

export function columnName(name: string, index: number): string {
  return name.trim() === "" ? `Column ${index + 1}` : name.trim();
}

/** A field's current choice. */
export function choiceOf(field: SheetField, { columns, company }: SheetMapping): string {
  if (field === "gradingCompany" && company !== null) return COMPANY_PREFIX + company;
  const column = columns[field];
  return column === undefined ? NONE : String(column);
}

/** The mapping with a new choice for a field. A column can fill only one field. */
export function withChoice(mapping: SheetMapping, field: SheetField, value: string): SheetMapping {
  const company = companyChosen(value);
  const column = value === NONE || company !== null ? null : Number(value);
  const others = Object.entries(mapping.columns).filter(([name, index]) => name !== field && index !== column);
  return {
    headerLine: mapping.headerLine,
    columns: { ...Object.fromEntries(others), ...(column === null ? {} : { [field]: column }) },
    company: field === "gradingCompany" ? company : mapping.company,
  };
}

function companyChosen(value: string): Company | null {
  return COMPANIES.find((company) => value === COMPANY_PREFIX + company) ?? null;
}
