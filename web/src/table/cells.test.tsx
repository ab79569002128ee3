import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CompanyTag, CustomerPrice, Price } from "./cells.tsx";
import { aRow } from "./row-factory.test-data.ts";

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
  ["psa ", "PSA", "PSA"],
  ["BGS", "unknown", "BGS"],
  ["", "unknown", "?"],
])("the tag of company %j is a %s one and says %j", (company, kind, words) => {
  const markup = markupOf(<CompanyTag company={company} />);
  expect(markup).toContain(`data-company="${kind}"`);
  expect(textOf(<CompanyTag company={company} />)).toBe(words);
});
