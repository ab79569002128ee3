import type { ExportFormat } from "../../api/sessions.ts";

export type ExportChoice = {
  format: ExportFormat;
  hasThumbnails?: true;
  label: string;
  note: string;
  /** A shop's listings, whose price is asked for. */
  isListing?: true;
  /** The file is generated while it is sent, picture by picture. */
  isSlow?: true;
};

export const EXPORT_CHOICES: readonly { title: string; choices: readonly ExportChoice[] }[] = [
  {
    title: "Spreadsheets",
    choices: [
      { format: "csv", label: "Results CSV", note: "All 31 columns" },
      { format: "session-csv", label: "Session CSV", note: "Without the CardsIQ columns" },
      { format: "original", label: "Your own file with results", note: "Your columns, with our results added" },
      { format: "xlsx", label: "Excel", note: "Numbers as text, links, fixed header" },
      {
        format: "xlsx",
        hasThumbnails: true,
        label: "Excel with thumbnails",
        note: "Includes a photo per row",
        isSlow: true,
      },
    ],
  },
  {
    title: "Shops",
    choices: [
      { format: "ebay", label: "eBay", note: "Seller Hub, create listings", isListing: true },
      { format: "shopify", label: "Shopify", note: "Products", isListing: true },
      { format: "whatnot", label: "Whatnot", note: "Listings", isListing: true },
    ],
  },
  {
    title: "More",
    choices: [
      { format: "images.zip", label: "Images (ZIP)", note: "Front and back, named by cert number", isSlow: true },
      { format: "json", label: "JSON", note: "For programs" },
    ],
  },
];
