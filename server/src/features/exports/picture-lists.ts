import type { PlacedPicture } from "./workbook-xml.ts";

/*
 * Compact lists of a workbook's pictures, of which there can be a hundred thousand. They store numbers, because objects
 * with URLs take ten times the memory.
 */

/** A picture to fetch: the row id, the URL, and the 0-based row in the sheet. */
export type PicturedRow = { rowId: string; url: string; row: number };

/** The rows with a picture, in order. Keeps only the origin of each URL. */
export class PicturedRows {
  readonly #numbers: number[] = [];
  readonly #sites: string[] = [];
  readonly #siteNumbers = new Map<string, number>();

  /** @param rowId the row's database id, an integer as text */
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

/** The pictures placed in the file, in order. */
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
