import type { ComponentProps } from "react";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ItemName, nameText } from "../row/cells.tsx";
import { GridRow } from "./ResultsGrid.tsx";
import { aFoundRow, aRow } from "../../run/row-factory.test-data.ts";
import { aRowContext } from "../row/row-context.test-data.ts";
import type { ColumnLayout } from "../columns/column-layout.ts";

const NAME: ColumnLayout = {
  id: "itemName",
  header: "Item Name",
  isPinned: true,
  width: 248,
  cellProps: { "aria-colindex": 1, "data-column": "itemName", style: {} },
  cell: ItemName,
  text: nameText,
};
const nothing = (): void => {};

const markupOf = (row: ResultRow, shown: Partial<ComponentProps<typeof GridRow>> = {}): string =>
  renderToStaticMarkup(
    <MantineProvider>
      <table>
        <tbody>
          <GridRow
            id="row"
            row={row}
            index={0}
            top={0}
            columns={[NAME]}
            inView={1}
            cursor={null}
            isActive={false}
            isSelected={false}
            isFlashing={false}
            onActivate={nothing}
            editor={null}
            context={aRowContext({ isRunning: true })}
            {...shown}
          />
        </tbody>
      </table>
    </MantineProvider>,
  );

test.each<[string, ResultRow, tint: string, title: string]>([
  ["Queued - Retrying...", aRow({ status: "queued" }), "warn", "Queued: 01020688"],
  ["Completed (Retried)", aFoundRow({ status: "completed_retry" }), "good", "1989 Upper Deck #1 Ken Griffey Jr."],
  ["Retry Failed", aRow({ status: "failed", outcome: "timeout" }), "bad", "Error: 01020688"],
])("a row that says '%s' is tinted", (label, row, tint, title) => {
  const markup = markupOf(row, { isActive: true });
  expect(markup).toMatch(new RegExp(`<tr[^>]*data-tone="${tint}"`));
  const text = markup.replaceAll(/<style.*?<\/style>|<[^>]+>/gs, " ");
  expect(text).toContain(label);
  expect(text).toContain(title);
});

test.each([
  ["a row that has just appeared draws only the text of the columns in view", { isActive: false }, ["itemName"], 0],
  ["the active row draws all columns at once", { isActive: true }, ["itemName", "year"], 2],
])("%s", (_, shown, drawn, buttons) => {
  const columns = [NAME, { ...NAME, id: "year", cellProps: { ...NAME.cellProps, "data-column": "year" } }];
  const markup = markupOf(aFoundRow(), { ...shown, columns, inView: 1 });
  expect([...markup.matchAll(/data-column="(\w+)"/g)].map(([, id]) => id)).toEqual(drawn);
  expect(markup.match(/<button/g) ?? []).toHaveLength(buttons);
  expect(markup).toContain("1989 Upper Deck #1 Ken Griffey Jr.");
});
