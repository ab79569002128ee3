import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import type { ReasonsOf } from "../review/use-review-reasons.ts";
import { filterRows, type RowFilter, searchText, wordsOf } from "./row-filter.ts";

/** The rows that contain all words, and their search texts, which an array returns faster than the cache. */
type Found = { rows: RowsSnapshot; words: readonly string[]; found: RowsSnapshot; texts: readonly string[] };

/** Filters a table's rows. While somebody types into Find, searches only the rows that matched before. */
export class RowFinder {
  #filtered: { rows: RowsSnapshot; filter: RowFilter; reasonsOf: ReasonsOf; result: RowsSnapshot } | null = null;
  #found: Found | null = null;

  find(rows: RowsSnapshot, filter: RowFilter, find: string, reasonsOf: ReasonsOf): RowsSnapshot {
    const filtered = this.#filter(rows, filter, reasonsOf);
    const words = wordsOf(find);
    if (words.length === 0) return filtered;
    const last = this.#found;
    // A row that contains the longer words contains their parts, too.
    const isNarrower = last?.rows === filtered && last.words.every((part) => words.some((word) => word.includes(part)));
    const base = isNarrower ? last : { found: filtered, texts: filtered.map(searchText) };
    const found: ResultRow[] = [];
    const texts: string[] = [];
    for (const [index, row] of base.found.entries()) {
      const text = base.texts[index] ?? "";
      if (!words.every((word) => text.includes(word))) continue;
      found.push(row);
      texts.push(text);
    }
    this.#found = { rows: filtered, words, found, texts };
    return found;
  }

  #filter(rows: RowsSnapshot, filter: RowFilter, reasonsOf: ReasonsOf): RowsSnapshot {
    const last = this.#filtered;
    if (last?.rows === rows && last.filter === filter && last.reasonsOf === reasonsOf) return last.result;
    const result = filterRows(rows, filter, reasonsOf);
    this.#filtered = { rows, filter, reasonsOf, result };
    return result;
  }
}
