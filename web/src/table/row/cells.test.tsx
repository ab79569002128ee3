import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { Certification, CustomerPrice, ItemName, Population, Price } from "./cells.tsx";
import { ActiveRowBar } from "./ActiveRowBar.tsx";
import { aFoundRow, aRow } from "../../run/row-factory.test-data.ts";
import { CardFacts } from "../../card/CardFacts.tsx";
import { aCell, aRowContext } from "./row-context.test-data.ts";

const markupOf = (cell: ReactNode): string => renderToStaticMarkup(<MantineProvider>{cell}</MantineProvider>);
const textOf = (cell: ReactNode): string => markupOf(cell).replaceAll(/<style.*?<\/style>|<[^>]+>/gs, "");

test.each([
  [{ price: 5, priceText: "5", customerPrice: "5.50" }, "5.00", "5.50"],
  [{ price: 1250, priceText: "1,250.00", customerPrice: "1375.00" }, "1,250.00", "1,375.00"],
  [{ price: 1234567.89, priceText: "1234567.89", customerPrice: "1358024.68" }, "1,234,567.89", "1,358,024.68"],
  [{ price: null, priceText: "", customerPrice: "0.00" }, "", "0.00"],
  [{ price: null, priceText: "call me", customerPrice: "0.00" }, "call me is not an amount; kept as typed", "0.00"],
])("prices of %j read %j and %j", (fields, price, customerPrice) => {
  const row = aRow(fields);
  expect(textOf(<Price row={row} />)).toBe(price);
  expect(textOf(<CustomerPrice row={row} />)).toBe(customerPrice);
});

test.each([
  [{ population: 204, populationHigher: 12 }, "Pop 204 · 12 higher"],
  [{ population: 32_647, populationHigher: 0 }, "Pop 32,647 · 0 higher"],
  [{ population: 0 }, "Pop 0"],
  [{ populationHigher: 1 }, "1 higher"],
  [{}, "–none"],
])("a population of %j reads %j", (fields, message) => {
  expect(textOf(<Population row={aFoundRow(fields)} />)).toBe(message);
  expect(textOf(<Population row={aRow()} />)).toBe("");
});

test("the card view says when the population was read, and leaves out what the grader has no value for", () => {
  const row = aFoundRow({ population: 204, populationHigher: 12, populationAsOf: "2026-11-22T12:00:00.000Z" });
  expect(textOf(<CardFacts row={row} />)).toContain("Population204 · 12 higheras of Nov 22, 2026");
  expect(textOf(<CardFacts row={aFoundRow()} />)).not.toContain("Population");
  expect(textOf(<CardFacts row={aRow()} />)).toBe("");
});

const damaged = aRow({ status: "error", outcome: "invalid_number", certNumber: "1.45E+08" });
const notFound = aRow({ status: "error", outcome: "not_found", certNumber: "99999990" });
const outage = aRow({ status: "failed", outcome: "timeout" });

const entered = aFoundRow({
  source: "hand",
  imageFlags: ["no_image"],
  entry: {
    by: "Kim",
    at: "2026-11-20T14:00:00.000Z",
    card: { itemName: "Pikachu", year: "", brand: "", cardNumber: "", grade: "", population: null },
  },
});

test("a row whose number may be wrong offers to edit it, and no other row does", () => {
  const certification = (row: typeof damaged): string => textOf(<Certification {...aCell(row)} />);
  expect(certification(damaged)).toBe("PSA1.45E+08Edit number 1.45E+08");
  expect(certification(notFound)).toContain("Edit number 99999990");
  expect(certification(outage)).not.toContain("Edit");
  expect(certification(aFoundRow())).not.toContain("Edit");
});

test.each([
  ["damaged", damaged, ["Edit number 1.45E+08", "Dismiss 1.45E+08", "History 1.45E+08"]],
  [
    "not found",
    notFound,
    ["Edit number 99999990", "Retry 99999990", "Enter by hand 99999990", "Dismiss 99999990", "History 99999990"],
  ],
  ["out of reach", outage, ["Retry 01020688", "Enter by hand 01020688", "Dismiss 01020688", "History 01020688"]],
  ["fine", aFoundRow(), ["History 01020688"]],
  [
    "entered by hand",
    entered,
    ["Look up again 01020688", "Edit entry 01020688", "Looks right 01020688", "History 01020688"],
  ],
  [
    "filled by an entry",
    { ...entered, source: "known" as const },
    ["Look up again 01020688", "Looks right 01020688", "History 01020688"],
  ],
  [
    "reviewed",
    { ...outage, reviewedAt: "2026-11-21T10:00:00.000Z" },
    ["Retry 01020688", "Enter by hand 01020688", "Reviewed · Undo 01020688", "History 01020688"],
  ],
])("the line below a row that is %s offers the possible actions", (_name, row, expected) => {
  // As it is heard: the key's cap is for the eye alone.
  const labels = (markup: string): string[] =>
    [...markup.replaceAll(/<span[^>]*aria-hidden="true".*?<\/kbd><\/span>/g, "").matchAll(/<button.*?<\/button>/g)].map(
      ([button]) => button.replaceAll(/<[^>]+>/g, "").trim(),
    );
  expect(labels(markupOf(<ActiveRowBar row={row} context={aRowContext()} />))).toEqual(expected);
});

test("a card entered by hand is marked, and a saved one says who entered it", () => {
  const nameOf = (row: typeof entered): string => textOf(<ItemName {...aCell(row)} />);
  expect(nameOf(aFoundRow())).not.toContain("By hand");
  expect(nameOf(entered)).toContain("By hand");
  expect(nameOf({ ...entered, source: "known" })).toContain("Saved result, entered by hand by Kim on Nov 20, 2026");
});

test("a failed row has its advice in a separate box, a found one does not", () => {
  const describeError = (): { title: string; message: string } => ({ title: "Processing Failed", message: "Too bad" });
  const nameOf = (row: typeof damaged): string => textOf(<ItemName {...aCell(row, { describeError })} />);
  expect(nameOf(outage)).toBe("Error: 01020688Processing FailedToo bad");
  expect(nameOf(aFoundRow())).not.toContain("Processing Failed");
});
