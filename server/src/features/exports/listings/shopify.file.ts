import type { ListingPrice } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { shopTable, type Table } from "../table.file.ts";
import { cardKindOf } from "./card-kind.rules.ts";
import * as text from "./listing-text.rules.ts";
import columns from "./shopify-columns.json" with { type: "json" };

/** Shopify truncates longer SEO titles. */
const LONGEST_SEO_TITLE = 70;
const LONGEST_TITLE = 255;

/**
 * One draft product per cert. A second image is a separate line with the same handle. The columns are the current ones
 * of a product file, without Google Shopping, and three metafields: "name (product.metafields.namespace.key)".
 */
export const shopifyTable = (listing: ListingPrice): Table =>
  shopTable(columns, ({ row }) => {
    const [front = "", ...others] = text.imageUrls(row);
    const imageLines = others.map((url, index) => ({
      "URL handle": handleOf(row),
      "Product image URL": url,
      "Image position": String(index + 2),
      "Image alt text": `${text.titleOf(row, LONGEST_TITLE)}, back`,
    }));
    return [{ ...productOf(row, front), Price: text.askingPriceOf(listing, row) }, ...imageLines];
  });

/** The handle is unique per cert and stable, so that a second import updates the same product. */
function handleOf(row: ResultRow): string {
  return text.skuOf(row).toLowerCase();
}

function productOf(row: ResultRow, url: string): Record<string, string> {
  const title = text.titleOf(row, LONGEST_TITLE);
  return {
    Title: title,
    "URL handle": handleOf(row),
    Description: text.asHtml(text.descriptionOf(row)),
    Vendor: text.valueOf(row.brand),
    Type: "Graded card",
    Tags: tagsOf(row),
    "Published on online store": "FALSE",
    Status: "Draft",
    SKU: text.skuOf(row),
    "Option1 name": "Title",
    "Option1 value": "Default Title",
    "Cost per item": row.price === null ? "" : row.price.toFixed(2),
    "Charge tax": "TRUE",
    "Inventory tracker": "shopify",
    "Inventory quantity": "1",
    "Continue selling when out of stock": "DENY",
    "Requires shipping": "TRUE",
    "Fulfillment service": "manual",
    ...(url !== "" && {
      "Product image URL": url,
      "Image position": "1",
      "Image alt text": `${title}, ${url === row.imageUrl ? "front" : "back"}`,
    }),
    "Gift card": "FALSE",
    "SEO title": text.titleOf(row, LONGEST_SEO_TITLE),
    "Grader (product.metafields.custom.grader)": row.gradingCompany,
    "Grade (product.metafields.custom.grade)": text.valueOf(row.grade),
    "Cert number (product.metafields.custom.cert_number)": row.certNumber,
  };
}

/** Removes commas from tags, because Shopify uses them as separators. */
function tagsOf(row: ResultRow): string {
  const tags = [
    row.gradingCompany,
    text.gradedAs(row, text.gradeInTitle(row.grade)),
    cardKindOf(row)?.name ?? "",
    text.valueOf(row.year),
  ];
  return [...new Set(tags.map((tag) => tag.replaceAll(",", " ")))].filter(Boolean).join(", ");
}
