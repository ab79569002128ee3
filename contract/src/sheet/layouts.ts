import { plainName } from "./header.ts";
import type { Lines } from "../api/sheet-format.ts";
import type { Company } from "../certs/company.ts";

/** PSA's order return has no company column. All its cards are PSA's. */
const PSA_ORDER_RETURN = ["cert", "type", "description", "grade", "afterservice", "images"];

/** Columns that only Slabdesk writes, in the user's own file with a suffix: "Inventory Name (Slabdesk)". */
const OWN_EXPORT = ["frontbackimages", "customerprice", "inventoryname"];

export function companyOfLayout(header: readonly string[]): Company | null {
  const plain = header.map(plainName);
  return PSA_ORDER_RETURN.every((name) => plain.includes(name)) ? "PSA" : null;
}

export function isOwnExport(header: readonly string[]): boolean {
  const plain = header.map(plainName);
  return OWN_EXPORT.every((name) => plain.some((other) => other === name || other === `${name}slabdesk`));
}

/** Whatnot listings have no certificate column. Slabdesk's listings have the company and the number in the SKU. */
const WHATNOT = ["subcategory", "shippingprofile", "hazmat", "sku"];

/** The certificate column if the layout has it under another name, else null. */
export function certColumnOfLayout(header: readonly string[], body: Lines): number | null {
  const plain = header.map(plainName);
  const sku = plain.indexOf("sku");
  const isOurs = (cells: readonly string[]): boolean => /^'?(?:PSA|CGC|TAG)-[A-Z]?\d+$/.test(cells[sku] ?? "");
  return WHATNOT.every((name) => plain.includes(name)) && body.every(isOurs) ? sku : null;
}

/** Recognizes the lines of Slabdesk's Shopify export that only add an image to the product above. */
export function imageLinesOf(header: readonly string[]): (cells: readonly string[]) => boolean {
  const plain = header.map(plainName);
  const [title, handle] = [plain.indexOf("title"), plain.indexOf("urlhandle")];
  const isOurs = handle >= 0 && plain.includes("certnumberproductmetafieldscustomcertnumber");
  return (cells) => isOurs && cells[title] === "" && cells[handle] !== "";
}

/** Removes eBay's id from a value: "10 - (ID: 275020)". */
export function withoutEbayId(cell: string): string {
  return cell.replace(/(?<!\s)\s*-\s*\(ID: \d{1,12}\)\s*$/, "");
}
