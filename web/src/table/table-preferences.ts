import { useCallback, useEffect, useRef, useState } from "react";
import { z } from "zod";
import {
  type ColumnArrangement,
  isSameOrder,
  MAX_COLUMN_WIDTH,
  mergeOrder,
  MIN_COLUMN_WIDTH,
} from "./column-arrangement.ts";
import {
  COLUMN_IDS,
  HIDEABLE_COLUMN_IDS,
  ON_DEMAND_COLUMN_IDS,
  PINNED_COLUMN_IDS,
  PRICED_COLUMN_IDS,
  PRICED_COLUMN_WIDTHS,
} from "./columns.tsx";

export const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

/** What a user has set on the table; remembered in this browser for every table of the product. */
export type TablePreferences = { density: Density } & ColumnArrangement;

const STORAGE_KEY = "slabdesk-table";

/** How the columns stand before the user touches them. */
export const DEFAULT_ARRANGEMENT: ColumnArrangement = {
  hiddenColumns: [],
  shownColumns: [],
  columnOrder: COLUMN_IDS,
  pinnedColumns: PINNED_COLUMN_IDS,
  columnWidths: {},
};

/** The orders in which columns stand by themselves: without prices, and with them. */
const OUR_ORDERS = [COLUMN_IDS, PRICED_COLUMN_IDS];

/** Unless the user has moved a column, prices stand in front where there are any. A move begins with what is drawn. */
export function arrangedFor<A extends ColumnArrangement>(arrangement: A, isPriced: boolean): A {
  if (!OUR_ORDERS.some((order) => isSameOrder(order, arrangement.columnOrder))) return arrangement;
  if (!isPriced) return { ...arrangement, columnOrder: COLUMN_IDS };
  const columnWidths = { ...PRICED_COLUMN_WIDTHS, ...arrangement.columnWidths };
  return { ...arrangement, columnOrder: PRICED_COLUMN_IDS, columnWidths };
}

export function isDefaultArrangement({
  hiddenColumns,
  shownColumns,
  columnOrder,
  pinnedColumns,
  columnWidths,
}: ColumnArrangement): boolean {
  return (
    hiddenColumns.length === 0 &&
    shownColumns.length === 0 &&
    Object.keys(columnWidths).length === 0 &&
    OUR_ORDERS.some((order) => isSameOrder(order, columnOrder)) &&
    pinnedColumns.length === PINNED_COLUMN_IDS.length &&
    pinnedColumns.every((id) => PINNED_COLUMN_IDS.includes(id))
  );
}

const DEFAULTS: TablePreferences = { density: "comfortable", ...DEFAULT_ARRANGEMENT };

const idsAmong = (known: readonly string[]) =>
  z.array(z.unknown()).transform((ids) => known.filter((id) => ids.includes(id)));

const storedSchema = z.object({
  density: z.enum(DENSITIES).catch(DEFAULTS.density),
  hiddenColumns: idsAmong(HIDEABLE_COLUMN_IDS).catch([]),
  shownColumns: idsAmong(ON_DEMAND_COLUMN_IDS).catch([]),
  columnOrder: z
    .array(z.unknown())
    .transform((ids) =>
      mergeOrder(
        ids.filter((id) => typeof id === "string"),
        COLUMN_IDS,
      ),
    )
    .catch([...COLUMN_IDS]),
  pinnedColumns: idsAmong(COLUMN_IDS).catch([...PINNED_COLUMN_IDS]),
  columnWidths: z.record(z.string(), z.unknown()).transform(widthsWithin).catch({}),
});

/** Reads what was remembered; whatever in it is not as we write it counts as not remembered. */
export function parsePreferences(text: string | null): TablePreferences {
  if (text === null) return DEFAULTS;
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return DEFAULTS;
    throw error;
  }
  return storedSchema.safeParse(stored).data ?? DEFAULTS;
}

function widthsWithin(stored: Record<string, unknown>): Record<string, number> {
  const widths: Record<string, number> = {};
  for (const id of COLUMN_IDS) {
    const width = stored[id];
    if (typeof width === "number" && width >= MIN_COLUMN_WIDTH && width <= MAX_COLUMN_WIDTH) widths[id] = width;
  }
  return widths;
}

export type ChangePreferences = (change: (current: TablePreferences) => TablePreferences) => void;

export function useTablePreferences(): [TablePreferences, ChangePreferences] {
  const [preferences, setPreferences] = useState(() => parsePreferences(readStored()));
  const stored = useRef(preferences);
  useEffect(() => {
    if (stored.current === preferences) return;
    stored.current = preferences;
    writeStored(JSON.stringify(preferences));
  }, [preferences]);
  const change = useCallback<ChangePreferences>((next) => setPreferences(next), []);
  return [preferences, change];
}

/** Storage can be forbidden by the browser's settings; the table then works without remembering. */
function readStored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function writeStored(text: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
