import { COMPANIES } from "@slabdesk/contract/certs/company.ts";
import type { SheetField } from "@slabdesk/contract/sheet/header.ts";
import type { SheetMapping } from "@slabdesk/contract/sheet/sheet.ts";

export const FIELD_LABELS: Record<SheetField, string> = {
  certNumber: "Cert number",
  gradingCompany: "Grading company",
  price: "Price",
  notes: "Notes",
  name: "Card name",
  grade: "Grade",
  year: "Year",
  set: "Set",
};

const NONE = "";
const NONE_LABELS: Partial<Record<SheetField, string>> = {
  certNumber: "Choose a column",
  gradingCompany: "From the numbers",
};
const COMPANY_PREFIX = "all ";
const FOR_ALL = COMPANIES.map((company) => ({ value: COMPANY_PREFIX + company, label: `All cards are ${company}` }));

/** A field's options, whose values `withChoice` accepts: a column, none, or one company for all rows. */
export function optionsFor(field: SheetField, header: readonly string[]): { value: string; label: string }[] {
  return [
    { value: NONE, label: NONE_LABELS[field] ?? "Not in this sheet" },
    ...(field === "gradingCompany" ? FOR_ALL : []),
    ...header.map((name, index) => ({ value: String(index), label: columnName(name, index) })),
  ];
}

export function columnName(name: string, index: number): string {
  return name.trim() === "" ? `Column ${index + 1}` : name.trim();
}

export function choiceOf(field: SheetField, { columns, company }: SheetMapping): string {
  if (field === "gradingCompany" && company !== null) return COMPANY_PREFIX + company;
  const column = columns[field];
  return column === undefined ? NONE : String(column);
}

/** The mapping with a new choice for a field. A column can fill only one field. */
export function withChoice(mapping: SheetMapping, field: SheetField, value: string): SheetMapping {
  const company = COMPANIES.find((name) => value === COMPANY_PREFIX + name) ?? null;
  const column = value === NONE || company !== null ? null : Number(value);
  const others = Object.entries(mapping.columns).filter(([name, index]) => name !== field && index !== column);
  return {
    headerLine: mapping.headerLine,
    columns: { ...Object.fromEntries(others), ...(column === null ? {} : { [field]: column }) },
    company: field === "gradingCompany" ? company : mapping.company,
  };
}
