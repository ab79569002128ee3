import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Store } from "../ui/store.ts";

/** The rows in sheet order. Immutable; each change creates a new list. */
export type RowsSnapshot = readonly ResultRow[];

export type RowAmendment = Pick<ResultRow, "id"> & Partial<ResultRow>;

/**
 * The rows of one session, in line order. They arrive over channels that can overtake each other: a page may be older
 * than a change that the run has pushed, so it only adds unknown rows, and a change always wins. A response to the user
 * may be just as late, so it only amends known rows. Each change notifies the subscribers once; the caller batches.
 */
export class RowsStore extends Store<RowsSnapshot> {
  readonly #positions = new Map<string, number>();
  readonly #removed = new Set<string>();

  constructor() {
    super([]);
  }

  has(rowId: string): boolean {
    return this.#positions.has(rowId);
  }

  /** Adds the unknown rows of a page; known rows don't change. */
  addPage(rows: readonly ResultRow[]): void {
    this.applyChanges(rows.filter((row) => !this.#positions.has(row.id)));
  }

  /** Updates the given fields of known rows; ignores unknown rows. */
  amend(amendments: readonly RowAmendment[]): void {
    this.applyChanges(
      amendments.flatMap((amendment) => {
        const row = this.getSnapshot()[this.#positions.get(amendment.id) ?? -1];
        return row ? [{ ...row, ...amendment }] : [];
      }),
    );
  }

  /** Removes rows that are no longer in their session. A late change doesn't bring them back. */
  remove(rowIds: readonly string[]): void {
    for (const id of rowIds) this.#removed.add(id);
    if (!rowIds.some((id) => this.#positions.has(id))) return;
    const next = this.getSnapshot().filter((row) => !this.#removed.has(row.id));
    this.#positions.clear();
    for (const [position, row] of next.entries()) this.#positions.set(row.id, position);
    this.publish(next);
  }

  clear(): void {
    this.#removed.clear();
    if (this.getSnapshot().length === 0) return;
    this.#positions.clear();
    this.publish([]);
  }

  /** Stores changed rows. If an id occurs more than once, the last row wins. */
  applyChanges(given: readonly ResultRow[]): void {
    const rows = given.filter((row) => !this.#removed.has(row.id));
    if (rows.length === 0) return;
    const next = this.getSnapshot().slice();
    let inOrder = true;
    for (const row of rows) {
      const position = this.#positions.get(row.id);
      if (position !== undefined) {
        next[position] = row;
        continue;
      }
      inOrder &&= (next.at(-1)?.line ?? 0) <= row.line;
      this.#positions.set(row.id, next.length);
      next.push(row);
    }
    if (!inOrder) {
      next.sort((a, b) => a.line - b.line);
      for (const [position, row] of next.entries()) this.#positions.set(row.id, position);
    }
    this.publish(next);
  }
}
