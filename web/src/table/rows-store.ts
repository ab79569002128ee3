import type { ResultRow } from "@slabdesk/contract/api/results.ts";

/** The rows in sheet order, as one unchanging list until the next change. */
export type RowsSnapshot = readonly ResultRow[];

/** What an act has changed about a row. */
export type RowAmendment = Pick<ResultRow, "id"> & Partial<ResultRow>;

const NO_ROWS: RowsSnapshot = [];

/**
 * The rows of one session in the browser. Rows come on two ways that overrun each other: pages, loaded one after
 * another, and changes, pushed while the run goes on. A page may have been read before a change that has arrived
 * already, so a page fills in only rows that are not known yet; a change always wins. The answer to an act of this page
 * may be as late: it only amends the row that is there.
 *
 * Rows stand in the order of their lines whatever order they come in. Each call that changes something tells the
 * subscribers once; the caller batches.
 */
export class RowsStore {
  readonly #positions = new Map<string, number>();
  readonly #removed = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #snapshot: RowsSnapshot = NO_ROWS;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): RowsSnapshot => this.#snapshot;

  has(rowId: string): boolean {
    return this.#positions.has(rowId);
  }

  /** Takes the rows of a page; rows already known are left as they are. */
  addPage(rows: readonly ResultRow[]): void {
    this.#put(rows.filter((row) => !this.#positions.has(row.id)));
  }

  /** Takes rows that changed; of several with one id the last counts. */
  applyChanges(rows: readonly ResultRow[]): void {
    this.#put(rows);
  }

  /** Changes what is named about rows and leaves the rest of them; rows that are not known stay unknown. */
  amend(amendments: readonly RowAmendment[]): void {
    this.#put(
      amendments.flatMap((amendment) => {
        const row = this.#snapshot[this.#positions.get(amendment.id) ?? -1];
        return row ? [{ ...row, ...amendment }] : [];
      }),
    );
  }

  /** Takes out a row that its session has no more, for good: a change of it may still be on its way. */
  remove(rowId: string): void {
    this.#removed.add(rowId);
    if (!this.#positions.has(rowId)) return;
    const next = this.#snapshot.filter((row) => row.id !== rowId);
    this.#positions.clear();
    for (const [position, row] of next.entries()) this.#positions.set(row.id, position);
    this.#publish(next);
  }

  clear(): void {
    this.#removed.clear();
    if (this.#snapshot.length === 0) return;
    this.#positions.clear();
    this.#publish(NO_ROWS);
  }

  #put(given: readonly ResultRow[]): void {
    const rows = given.filter((row) => !this.#removed.has(row.id));
    if (rows.length === 0) return;
    const next = this.#snapshot.slice();
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
    this.#publish(next);
  }

  #publish(snapshot: RowsSnapshot): void {
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener();
  }
}
