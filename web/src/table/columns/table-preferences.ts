import { z } from "zod";
import { listingPriceSchema } from "@slabdesk/contract/api/prices.ts";
import { DEFAULT_LISTING_PRICE } from "@slabdesk/contract/market/listing-price.ts";
import { USUAL_DOUBTS_FROM, USUAL_HIGH_VALUE } from "@slabdesk/contract/review/reasons.ts";
import { HIGHEST_VALUE } from "../review/use-review-reasons.ts";
import { parseStored } from "../../ui/stored-items.ts";
import { SORT_DIRECTIONS } from "./row-sorter.ts";
import { type FilterCounts, ROW_FILTERS, type RowFilter } from "../filter/row-filter.ts";
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
} from "./columns.tsx";

const idsAmong = (known: readonly string[]) =>
  z.array(z.unknown()).transform((ids): readonly string[] => known.filter((id) => ids.includes(id)));

const arrangementSchema = z.object({
  hiddenColumns: idsAmong(HIDEABLE_COLUMN_IDS).catch([]),
  shownColumns: idsAmong(ON_DEMAND_COLUMN_IDS).catch([]),
  columnOrder: z
    .array(z.unknown())
    .transform((ids): readonly string[] => mergeOrder(ids, COLUMN_IDS))
    .catch(COLUMN_IDS),
  pinnedColumns: idsAmong(COLUMN_IDS).catch(PINNED_COLUMN_IDS),
  columnWidths: z.record(z.string(), z.unknown()).transform(widthsWithin).catch({}),
});

const threshold = z.number().min(0).max(HIGHEST_VALUE).nullable();

/** A user's table settings, shared by all tables of the product. Invalid parts fall back to their defaults. */
const preferencesSchema = arrangementSchema.extend({
  density: z.enum(["comfortable", "compact"]).catch("comfortable"),
  sort: z
    .object({ columnId: z.enum(COLUMN_IDS), direction: z.enum(SORT_DIRECTIONS) })
    .nullable()
    .catch(null),
  filter: z
    .object({ name: z.enum(ROW_FILTERS), sessionId: z.string().max(100) })
    .nullable()
    .catch(null),
  /** Cards worth at least this many dollars need review; null turns the rule off. */
  highValue: threshold.catch(USUAL_HIGH_VALUE),
  /** Shortcuts of one character, which a person may turn off (WCAG 2.1.4). */
  hasSingleKeys: z.boolean().catch(true),
  /** Doubtful prices of cards worth at least this many dollars need review; null turns the rule off. */
  doubtsFrom: threshold.catch(USUAL_DOUBTS_FROM),
  listing: listingPriceSchema.catch(DEFAULT_LISTING_PRICE),
});

export type TablePreferences = z.infer<typeof preferencesSchema>;
export type ChangePreferences = (change: (current: TablePreferences) => TablePreferences) => void;

export const DEFAULT_PREFERENCES = preferencesSchema.parse({});
/** The column settings before the user changes them. */
export const DEFAULT_ARRANGEMENT: ColumnArrangement = arrangementSchema.parse({});

/** True for a default order, with or without prices: the user hasn't moved a column. */
function isOurOrder(order: readonly string[]): boolean {
  return isSameOrder(order, COLUMN_IDS) || isSameOrder(order, PRICED_COLUMN_IDS);
}

/** Puts price columns first if the table has prices and the user hasn't moved a column. Moves start from this order. */
export function arrangedFor<A extends ColumnArrangement>(arrangement: A, isPriced: boolean): A {
  if (!isOurOrder(arrangement.columnOrder)) return arrangement;
  return { ...arrangement, columnOrder: isPriced ? PRICED_COLUMN_IDS : COLUMN_IDS };
}

export function isDefaultArrangement(arrangement: ColumnArrangement): boolean {
  const { hiddenColumns, shownColumns, columnOrder, pinnedColumns, columnWidths } = arrangement;
  const changes = [...hiddenColumns, ...shownColumns, ...Object.keys(columnWidths)];
  const isPinnedAsOurs = isSameOrder(pinnedColumns.toSorted(), PINNED_COLUMN_IDS.toSorted());
  return changes.length === 0 && isOurOrder(columnOrder) && isPinnedAsOurs;
}

/** Settings are merged by key, so that changing one doesn't overwrite the others set by another page. */
export const PREFERENCE_KEYS = preferencesSchema.keyof().options;

export function parsePreferences(stored: string | null): TablePreferences {
  return parseStored(preferencesSchema, stored) ?? DEFAULT_PREFERENCES;
}

function widthsWithin(stored: Record<string, unknown>): Record<string, number> {
  const widths: Record<string, number> = {};
  for (const id of COLUMN_IDS) {
    const width = stored[id];
    if (typeof width === "number" && width >= MIN_COLUMN_WIDTH && width <= MAX_COLUMN_WIDTH) widths[id] = width;
  }
  return widths;
}

/** The last filter chosen, if it matches a row. In a run, only if it was chosen in it, so that no rows seem missing. */
export function filterToBeginWith(
  remembered: TablePreferences["filter"],
  shown: { sessionId: string; isRunning: boolean; counts: FilterCounts },
): RowFilter {
  if (remembered === null || !shown.counts[remembered.name]) return "all";
  return remembered.sessionId === shown.sessionId || !shown.isRunning ? remembered.name : "all";
}
