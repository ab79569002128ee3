import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import type { SheetField } from "@slabdesk/contract/sheet/header.ts";
import type { SheetMapping } from "@slabdesk/contract/sheet/sheet.ts";

/** What each field is called where columns are chosen. */
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

/** One entry of a field's list; the value is what `withChoice` takes. */
export type ColumnOption = { value: string; label: string };

const NONE = "";
const COMPANY_PREFIX = "all ";

/** What a field can be filled from: a column, nothing, and for the company one for all rows. */
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

/** What is chosen for a field now. */
export function choiceOf(field: SheetField, { columns, company }: SheetMapping): string {
  if (field === "gradingCompany" && company !== null) return COMPANY_PREFIX + company;
  const column = columns[field];
  return column === undefined ? NONE : String(column);
}

/** The mapping with another choice for a field; a column is for one field at a time. */
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
