import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { parseNumericGrade } from "@slabdesk/contract/certs/grade.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { knownValue, notesOf, rowTitle } from "../../card/row-messages.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { cached } from "../row/cached.ts";

export const SORT_DIRECTIONS = ["ascending", "descending"] as const;
export type SortDirection = (typeof SORT_DIRECTIONS)[number];

/** The sort column and direction; null instead means sheet order. */
export type TableSort = { columnId: string; direction: SortDirection };

/** The next sort after a header click: ascending, descending, sheet order. */
export function nextSort(current: TableSort | null, columnId: string): TableSort | null {
  if (current?.columnId !== columnId) return { columnId, direction: "ascending" };
  return current.direction === "ascending" ? { columnId, direction: "descending" } : null;
}

type Order = { sort: TableSort; offerRule: OfferRule | null; rows: RowsSnapshot; sorted: RowsSnapshot };

/** If more than this share of the rows is new, a full sort is faster than inserting them. */
const MANY_NEW = 0.2;

/**
 * Sorts a table's rows. For the next snapshot, sorts only new rows and merges them, so that a run's results are placed
 * among 100,000 rows within one frame. Rows with equal keys stay in line order, and rows without a key come last.
 */
export class RowSorter {
  #keyOf = keysOf(null, null);
  #last: Order | null = null;

  sort(rows: RowsSnapshot, sort: TableSort | null, offerRule: OfferRule | null): RowsSnapshot {
    if (sort === null) return rows;
    const last = this.#last;
    const isSameColumn = last?.sort.columnId === sort.columnId && last.offerRule === offerRule;
    if (!isSameColumn) this.#keyOf = keysOf(sort, offerRule);
    const isSame = isSameColumn && last.sort.direction === sort.direction;
    if (isSame && last.rows === rows) return last.sorted;
    const sorted = (isSame ? this.#putIn(last, rows) : null) ?? this.#sortAll(rows, sort);
    this.#last = { sort, offerRule, rows, sorted };
    return sorted;
  }

  #sortAll(rows: RowsSnapshot, sort: TableSort): RowsSnapshot {
    const keyed = rows.map((row) => ({ row, key: this.#keyOf(row) }));
    const compare = comparing(sort);
    keyed.sort((one, other) => compare(one.key, other.key) || one.row.line - other.row.line);
    return keyed.map(({ row }) => row);
  }

  /** The last order without removed rows and with new rows inserted; null if too many rows are new. */
  #putIn(last: Order, rows: RowsSnapshot): RowsSnapshot | null {
    const removed = new Set<ResultRow>();
    const added: ResultRow[] = [];
    const most = Math.max(rows.length, last.rows.length);
    for (let index = 0; index < most; index += 1) {
      const [before, now] = [last.rows[index], rows[index]];
      if (before === now) continue;
      if (before) removed.add(before);
      if (now) added.push(now);
      if (added.length > rows.length * MANY_NEW) return null;
    }
    const kept = last.sorted.filter((row) => !removed.has(row));
    return this.#merge(kept, this.#sortAll(added, last.sort), comparing(last.sort));
  }

  #merge(kept: RowsSnapshot, inserted: RowsSnapshot, compare: ReturnType<typeof comparing>): RowsSnapshot {
    const merged: ResultRow[] = [];
    let next = 0;
    for (const row of kept) {
      const key = this.#keyOf(row);
      for (let other = inserted[next]; other; other = inserted[next]) {
        const order = compare(this.#keyOf(other), key) || other.line - row.line;
        if (order > 0) break;
        merged.push(other);
        next += 1;
      }
      merged.push(row);
    }
    return merged.concat(inserted.slice(next));
  }
}

/** Each row's sort key in the sorted column. */
function keysOf(sort: TableSort | null, offerRule: OfferRule | null): (row: ResultRow) => SortKey {
  const keyOf = KEYS[sort?.columnId ?? ""];
  return cached((row: ResultRow) => {
    const key = keyOf?.(row, offerRule) ?? null;
    return Number.isNaN(key) ? null : key;
  });
}

function comparing({ direction }: TableSort): (one: SortKey, other: SortKey) => number {
  const sign = direction === "ascending" ? 1 : -1;
  return (one, other) => {
    if (one === other) return 0;
    if (one === null) return 1;
    if (other === null) return -1;
    return one < other ? -sign : sign;
  };
}

/** A row's sort key in one column: a number, or text compared by code unit. Null means no value and sorts last. */
export type SortKey = number | string | null;

/** By column id. A card with a non-numeric grade sorts below all numeric grades and above ungraded cards. */
const KEYS: Readonly<Record<string, (row: ResultRow, offerRule: OfferRule | null) => SortKey>> = {
  images: (row) => (isFound(row) ? row.imageFlags.length : null),
  itemName: (row) => textKey(rowTitle(row)),
  certification: ({ gradingCompany, certNumber }) => textKey(`${gradingCompany.trim()} ${certNumber}`),
  grade: ({ grade }) => {
    const known = knownValue(grade);
    return known === null ? null : (parseNumericGrade(known) ?? 0);
  },
  // "2018-19" gives 2018.
  year: ({ year }) => Number(/\d+/.exec(year ?? "")?.[0] ?? Number.NaN),
  sport: ({ sport }) => textKey(sport),
  cardNumber: ({ cardNumber }) => textKey(cardNumber),
  price: ({ price }) => price,
  customerPrice: ({ price, customerPrice }) => (price === null ? null : Number(customerPrice)),
  notes: (row) => textKey(notesOf(row)),
  player: ({ player }) => textKey(player),
  brand: ({ brand }) => textKey(brand),
  language: ({ language }) => textKey(language),
  population: ({ population }) => population,
  inventoryName: ({ inventoryName }) => textKey(inventoryName),
  cardladderEstimate: ({ pricing }) => pricing?.cardladderEstimate ?? null,
  marketData: ({ pricing }) => pricing?.medianPrice ?? pricing?.averagePrice ?? pricing?.lastSalePrice ?? null,
  cardsiqEstimate: ({ cardsiq }) => cardsiq?.estimatedValue ?? null,
  cardsiqLastSale: ({ cardsiq }) => cardsiq?.lastSalePrice ?? null,
  buyOffer: (row, rule) => (isFound(row) ? offerOf(rule, row) : null),
  processedAt: ({ processedAt }) => (processedAt === null ? null : Date.parse(processedAt)),
};

const PLAIN = /^[\x20-\x7e]*$/;
/** The time for normalizing combining marks grows with the square of their number. */
const LONGEST_SORTED = 300;
const MARKS = /\p{M}/gu;
/** Padding width; longer than any number in a card's name, so that numbers sort by value. */
const DIGITS = 12;

/** Ignores case and accents and sorts numbers by value, in a tenth of the time of the browser's collation. */
function textKey(field: string | null): string | null {
  const value = knownValue(field);
  if (value === null) return null;
  const plain = PLAIN.test(value) ? value : value.slice(0, LONGEST_SORTED).normalize("NFKD").replaceAll(MARKS, "");
  return plain.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(DIGITS, "0"));
}
