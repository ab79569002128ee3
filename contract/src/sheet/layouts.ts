import { restoreFormula } from "./export-columns.ts";
import { plainName } from "./header.ts";
import type { Company } from "../certs/company.ts";

/* Files of known origin, known by their headers. */

/** PSA's order return names no company: every card in it is PSA's. */
const PSA_ORDER_RETURN = ["cert", "type", "description", "grade", "afterservice", "images"];

/** Columns that only Slabdesk writes; in a user's own file that was given back, perhaps as "Inventory Name (Slabdesk)". */
const OWN_EXPORT = ["frontbackimages", "customerprice", "inventoryname"];

/** The company of every row of a file, where its layout says so. */
export function companyOfLayout(header: readonly string[]): Company | null {
  const plain = header.map(plainName);
  return PSA_ORDER_RETURN.every((name) => plain.includes(name)) ? "PSA" : null;
}

/** True for a CSV file that Slabdesk wrote. */
export function isOwnExport(header: readonly string[]): boolean {
  const plain = header.map(plainName);
  return OWN_EXPORT.every((name) => plain.some((other) => other === name || other === `${name}slabdesk`));
}

/** Cells as they were before Slabdesk made them harmless in its own files, so that a sheet may go in and out for ever. */
export function restoreCells(lines: readonly (readonly string[])[]): string[][] {
  return lines.map((cells) => cells.map(restoreFormula));
}

/** eBay writes "10 - (ID: 275020)": the value without its id. */
export function withoutEbayId(cell: string): string {
  return cell.replace(/\s*-\s*\(ID: \d{1,12}\)\s*$/, "");
}
