import type { PlacedPicture } from "./workbook-xml.ts";

/*
 * What a workbook has to remember of a hundred thousand pictures: numbers, as objects with their addresses would take
 * ten times the memory.
 */

/** A picture that is wanted: whose row's, from where, and in which row of the sheet, counted from 0. */
export type PicturedRow = { rowId: string; url: string; row: number };

/** The rows with a picture, in order. Of its address the site is kept. */
export class PicturedRows {
  readonly #numbers: number[] = [];
  readonly #sites: string[] = [];
  readonly #siteNumbers = new Map<string, number>();

  /** @param rowId a whole number as text, as the database counts rows */
  add(rowId: string, url: string, row: number): void {
    const site = new URL("/", url).href;
    let number = this.#siteNumbers.get(site);
    if (number === undefined) {
      number = this.#sites.push(site) - 1;
      this.#siteNumbers.set(site, number);
    }
    this.#numbers.push(Number(rowId), number, row);
  }

  *list(): Generator<PicturedRow> {
    for (let at = 0; at < this.#numbers.length; at += 3) {
      const [rowId = 0, site = 0, row = 0] = this.#numbers.slice(at, at + 3);
      yield { rowId: String(rowId), url: this.#sites[site] ?? "", row };
    }
  }
}

/** The pictures that are in the file, in order. */
export class PlacedPictures {
  readonly #numbers: number[] = [];

  get count(): number {
    return this.#numbers.length / 3;
  }

  add({ row, width, height }: PlacedPicture): void {
    this.#numbers.push(row, width, height);
  }

  *list(): Generator<PlacedPicture> {
    for (let at = 0; at < this.#numbers.length; at += 3) {
      const [row = 0, width = 0, height = 0] = this.#numbers.slice(at, at + 3);
      yield { row, width, height };
    }
  }
}
