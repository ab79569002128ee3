import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { cardKindOf } from "./card-kind.ts";
import {
  asHtml,
  askingPriceOf,
  descriptionOf,
  gradeInTitle,
  pictureUrls,
  skuOf,
  titleOf,
  valueOf,
} from "./listing-text.ts";
import { shopTable, type Table } from "./table.ts";

/** Metafields: "name (product.metafields.namespace.key)". */
const GRADER = "Grader (product.metafields.custom.grader)";
const GRADE = "Grade (product.metafields.custom.grade)";
const CERT = "Cert number (product.metafields.custom.cert_number)";

/** The current column names of a product file, without the Google Shopping columns. */
const SHOPIFY_HEADER = [
  "Title",
  "URL handle",
  "Description",
  "Vendor",
  "Product category",
  "Type",
  "Tags",
  "Published on online store",
  "Status",
  "SKU",
  "Barcode",
  "Option1 name",
  "Option1 value",
  "Option1 Linked To",
  "Option2 name",
  "Option2 value",
  "Option2 Linked To",
  "Option3 name",
  "Option3 value",
  "Option3 Linked To",
  "Price",
  "Compare-at price",
  "Cost per item",
  "Charge tax",
  "Tax code",
  "Unit price total measure",
  "Unit price total measure unit",
  "Unit price base measure",
  "Unit price base measure unit",
  "Inventory tracker",
  "Inventory quantity",
  "Continue selling when out of stock",
  "Weight value (grams)",
  "Weight unit for display",
  "Requires shipping",
  "Fulfillment service",
  "Product image URL",
  "Image position",
  "Image alt text",
  "Variant image URL",
  "Gift card",
  "SEO title",
  "SEO description",
  GRADER,
  GRADE,
  CERT,
];

/** Shopify truncates longer SEO titles. */
const LONGEST_SEO_TITLE = 70;
const LONGEST_TITLE = 255;

/** One draft product per cert. A second picture is a separate line with the same handle. */
export function shopifyTable(): Table {
  return shopTable(SHOPIFY_HEADER, ({ row }) => {
    const [front = "", ...others] = pictureUrls(row);
    const product = productOf(row, front);
    const pictures = others.map((url, index) => ({
      "URL handle": handleOf(row),
      "Product image URL": url,
      "Image position": String(index + 2),
      "Image alt text": `${titleOf(row, LONGEST_TITLE)}, back`,
    }));
    return [product, ...pictures];
  });
}

/** The handle is unique per cert and stable, so that a second import updates the same product. */
function handleOf(row: ResultRow): string {
  return skuOf(row).toLowerCase();
}

function productOf(row: ResultRow, picture: string): Record<string, string> {
  const title = titleOf(row, LONGEST_TITLE);
  return {
    Title: title,
    "URL handle": handleOf(row),
    Description: asHtml(descriptionOf(row)),
    Vendor: valueOf(row.brand),
    Type: "Graded card",
    Tags: tagsOf(row),
    "Published on online store": "FALSE",
    Status: "Draft",
    SKU: skuOf(row),
    "Option1 name": "Title",
    "Option1 value": "Default Title",
    Price: askingPriceOf(row),
    "Charge tax": "TRUE",
    "Inventory tracker": "shopify",
    "Inventory quantity": "1",
    "Continue selling when out of stock": "DENY",
    "Requires shipping": "TRUE",
    "Fulfillment service": "manual",
    ...(picture !== "" && {
      "Product image URL": picture,
      "Image position": "1",
      "Image alt text": `${title}, ${picture === row.imageUrl ? "front" : "back"}`,
    }),
    "Gift card": "FALSE",
    "SEO title": titleOf(row, LONGEST_SEO_TITLE),
    [GRADER]: row.gradingCompany,
    [GRADE]: valueOf(row.grade),
    [CERT]: row.certNumber,
  };
}

/** Removes commas from tags, because Shopify uses them as separators. */
function tagsOf(row: ResultRow): string {
  const graded = `${row.gradingCompany} ${gradeInTitle(row.grade)}`.trim();
  const tags = [row.gradingCompany, graded, cardKindOf(row)?.name ?? "", valueOf(row.year)];
  return [...new Set(tags.map((tag) => tag.replaceAll(",", " ")))].filter(Boolean).join(", ");
}
