import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { cached } from "../row/cached.ts";
import { type SortKey, sortKeyOf } from "./sort-keys.ts";

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
 * among 100,000 rows within one frame. In both directions, rows with equal keys stay in line order and rows without a
 * key come last.
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

function keysOf(sort: TableSort | null, offerRule: OfferRule | null): (row: ResultRow) => SortKey {
  return cached((row: ResultRow) => sortKeyOf(sort?.columnId ?? "", row, offerRule));
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
