import { plainName } from "./header.ts";
import { restoreLine } from "./safe-cells.ts";
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

/** Listings for Whatnot have no column for the certificate; ours name company and number in the SKU. */
const WHATNOT = ["subcategory", "shippingprofile", "hazmat", "sku"];

/** The column of the certificates, where a layout has it under another name; null where it does not. */
export function certColumnOfLayout(header: readonly string[], body: readonly (readonly string[])[]): number | null {
  const plain = header.map(plainName);
  const sku = plain.indexOf("sku");
  const isOurs = (cells: readonly string[]): boolean => /^'?(?:PSA|CGC|TAG)-[A-Z]?\d+$/.test(cells[sku] ?? "");
  return WHATNOT.every((name) => plain.includes(name)) && body.every(isOurs) ? sku : null;
}

/** True for a line of our Shopify file that only adds a picture to the product above it. */
export function isPictureLine(header: readonly string[], cells: readonly string[]): boolean {
  const plain = header.map(plainName);
  const cellOf = (name: string): string | undefined => cells[plain.indexOf(name)];
  return (
    plain.includes("certnumberproductmetafieldscustomcertnumber") &&
    cellOf("title") === "" &&
    cellOf("urlhandle") !== ""
  );
}

/** Cells as they were before Slabdesk made them harmless in its own files, so that a sheet may go in and out for ever. */
export function restoreCells(lines: readonly (readonly string[])[]): string[][] {
  return lines.map(restoreLine);
}

/** eBay writes "10 - (ID: 275020)": the value without its id. */
export function withoutEbayId(cell: string): string {
  return cell.replace(/\s*-\s*\(ID: \d{1,12}\)\s*$/, "");
}
