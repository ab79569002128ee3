/**
 * What a shop's sheet must lead to: every line below the header has a certificate or a reason. `certs` is typed from
 * the labels, independently of the product.
 */
export type ExpectedSheet = {
  /** The file's name and content are the only input, except the chosen sheets of a workbook. */
  file: string;
  /** What is wrong with the file. */
  damage: string;
  /** The line, counted as in a spreadsheet, and the certificate looked up, with suggested companies accepted. */
  certs: Readonly<Record<number, string>>;
  /** The line and the message on why nothing is looked up. */
  damaged: Readonly<Record<number, string>>;
  /** The lines with a repaired number, and their message. */
  repaired: Readonly<Record<number, string>>;
  /** The lines whose company comes from the number, as the sheet has none. */
  suggested: readonly number[];
};

const MISSING = "Missing CertNumber or GradingCompany";
const UNSUPPORTED = "Unsupported grading company: BGS. Supported companies are: PSA, CGC, TAG";

const lost = (typed: string): string =>
  `The spreadsheet shortened this number to ${typed}, so digits are lost. Format the column as text and type it again, or scan the label`;

/** Twelve shops' sheets. The eleventh is a workbook of two sheets; its lines are those of both combined. */
export const SHEETS: readonly ExpectedSheet[] = [
  {
    file: "01-template.csv",
    damage: "The template, filled in by hand: an apostrophe, a lost zero, a duplicate row, incomplete rows",
    certs: {
      2: "PSA 98174651",
      3: "CGC 1401019289294",
      4: "TAG C1240631",
      5: "PSA 01020688",
      6: "PSA 01020470",
      7: "PSA 98174651",
      8: "PSA 82456191",
      11: "PSA 79720210",
    },
    damaged: { 9: UNSUPPORTED, 10: MISSING },
    repaired: { 5: "apostrophe removed", 6: "leading zero restored" },
    suggested: [8],
  },
  {
    file: "02-excel-german.csv",
    damage: "A German Excel's CSV: semicolons, decimal commas, Windows-1252, German headings, a cell with two lines",
    certs: {
      2: "PSA 98174651",
      3: "CGC 1401019289294",
      4: "TAG C1240631",
      5: "PSA 01020688",
      6: "PSA 79720210",
      7: "CGC 6021692042",
    },
    damaged: {},
    repaired: {
      3: "dash removed",
      4: "letter capitalized",
      5: "leading zero restored",
      6: "thousands separators removed",
    },
    suggested: [],
  },
  {
    file: "03-unicode-text.txt",
    damage: "Excel's Unicode text: UTF-16 with tabs, doubled quotes, a long dash, an invisible character",
    certs: {
      2: "PSA 98174651",
      3: "PSA 79720212",
      4: "PSA 01003082",
      5: "CGC 4135876101",
      6: "TAG H4372254",
    },
    damaged: {},
    repaired: { 5: "dash removed", 6: "invisible characters removed" },
    suggested: [],
  },
  {
    file: "04-psa-order-return.csv",
    damage: "PSA's order return: an invoice above the header, no company anywhere, a total at the end",
    certs: {
      5: "PSA 79720209",
      6: "PSA 79720211",
      7: "PSA 79720212",
      8: "PSA 01020451",
      9: "PSA 01020658",
      10: "PSA 153420191",
    },
    damaged: { 12: 'PSA cert numbers have 8 or 9 digits, not "Total". Compare it with the label' },
    repaired: {},
    suggested: [],
  },
  {
    file: "05-psa-my-collection.csv",
    damage: "PSA's My Collection, as downloaded",
    certs: {
      2: "PSA 60542440",
      3: "PSA 158363091",
      4: "PSA 01020688",
      5: "CGC 6034330274",
      6: "PSA 74574401",
    },
    damaged: {},
    repaired: {},
    suggested: [],
  },
  {
    file: "06-cardladder-collection.csv",
    damage: "CardLadder's collection, as downloaded: the company is in the condition column",
    certs: { 2: "PSA 75468030", 3: "PSA 64007482", 4: "CGC 6016747097", 5: "TAG E1563870" },
    damaged: { 6: UNSUPPORTED, 7: MISSING },
    repaired: {},
    suggested: [],
  },
  {
    file: "07-lost-digits.csv",
    damage: "Numbers that a spreadsheet read as amounts, and cells that contain more than a number",
    certs: { 3: "PSA 98174651", 7: "PSA 79720516", 8: "PSA 98174651", 13: "PSA 79720525" },
    damaged: {
      2: lost("1.45531E+08"),
      4: lost("1.40102E+12"),
      5: "The column was too narrow when the sheet was saved, so it contains only number signs. Widen the column and save again, or scan the label",
      6: "The spreadsheet contains the error #REF! instead of a number. Fix the cell and save again, or scan the label",
      9: "This number has a letter where a digit belongs. If the label says 98174650, type that",
      10: "The cell contains something besides the cert number. Keep only the number, and move the rest to another column",
      11: "The cell contains 2 cert numbers. Give each its own row",
      12: "The cell contains a formula instead of a number. Copy the column, paste it as values and save again",
    },
    repaired: {
      3: "all digits kept in E notation, written out",
      7: "decimal zero removed",
      8: "thousands separators removed",
    },
    suggested: [],
  },
  {
    file: "08-scanned-links.txt",
    damage: "What a scanner typed: links and a number, no header, no company, two kinds of line endings",
    certs: {
      1: "PSA 98174651",
      2: "PSA 158363091",
      3: "CGC 1401036524258",
      4: "CGC 4135876101",
      6: "TAG C1240631",
      7: "TAG T2163854",
      8: "PSA 01015223",
      10: "PSA 98174651",
      11: "PSA 01020688",
    },
    damaged: { 9: MISSING },
    repaired: {
      1: "read from a link",
      2: "read from a link",
      3: "read from a link",
      4: "read from a link",
      6: "read from a link",
      7: "read from a link, letter capitalized",
      10: "read from a link",
      11: "read from a link, leading zero restored",
    },
    suggested: [1, 2, 3, 4, 6, 7, 8, 10, 11],
  },
  {
    file: "09-no-company.csv",
    damage: "No company column: the company must come from the number, which fails once",
    certs: {
      2: "PSA 98174651",
      3: "CGC 6001871064",
      4: "TAG K8931484",
      5: "PSA 75738340",
      6: "CGC 1401019289294",
    },
    damaged: { 7: MISSING, 8: MISSING },
    repaired: { 5: "company name removed", 6: "dash removed" },
    suggested: [2, 3, 4, 5, 6],
  },
  {
    file: "10-own-results.csv",
    damage: "Slabdesk's own results, imported again: escaped formulas, a failed row",
    certs: { 2: "PSA 01020688", 3: "CGC 1401019289294", 4: "TAG C1240631" },
    damaged: { 5: lost("1.45531E+08") },
    repaired: {},
    suggested: [],
  },
  {
    file: "11-workbook.xlsx",
    damage:
      "A workbook: two sheets with different headings, cert numbers not stored as text, a narrow format, a title above",
    certs: {
      2: "PSA 98174651",
      3: "PSA 01020688",
      4: "PSA 01020470",
      5: "CGC 1401019289294",
      6: "TAG C1240631",
      7: "PSA 145531000",
      8: "CGC 4135876101",
      9: "PSA 79720525",
    },
    damaged: { 10: MISSING },
    repaired: { 6: "letter capitalized", 8: "dash removed" },
    suggested: [9],
  },
  {
    file: "12-put-together.csv",
    damage:
      "Several exports copied into one file: mixed encodings, line endings, and headers, ragged and quoted lines, a total",
    certs: {
      5: "PSA 98174651",
      6: "PSA 79720515",
      7: "TAG C1240631",
      8: "CGC 4135876101",
      9: "PSA 75310056",
      10: "CGC 6001871064",
      12: "PSA 01005371",
      14: "PSA 01005453",
      15: "TAG L6527429",
      16: "PSA 98174652",
    },
    damaged: {
      11: "This line repeats the header and has no certificate. You can ignore it; no card is missing",
      17: MISSING,
    },
    repaired: { 10: "company name removed", 14: "formula removed" },
    suggested: [16],
  },
];
