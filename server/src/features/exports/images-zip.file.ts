import type { Readable } from "node:stream";
import { type ImageSide, type ResultRow, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import type { Image, ImagesService } from "../photos/images.service.ts";
import type { StreamedRow, Viewer } from "../sessions/sessions.service.ts";
import { imagesInOrder, type Fetched } from "./images-in-order.service.ts";
import { foundOnce } from "./table.file.ts";
import { zipFile } from "./zip.file.ts";

type Wanted = { name: string; rowId: string; side: ImageSide; url: string };

const SIDES: readonly ImageSide[] = ["front", "back"];
/** Streams a ZIP file of full-size images, each cert's once. `missing.txt` lists missing ones with the reason. */
export function imagesZip(
  viewer: Viewer,
  pages: AsyncIterable<StreamedRow[]>,
  images: Pick<ImagesService, "get">,
  now: Date,
): Readable {
  const missing: string[] = [];
  const wanted = wantedImages(foundOnce(pages), missing);
  const fetching = imagesInOrder(wanted, ({ rowId, side }) => images.get(viewer, rowId, side, undefined));
  return zipFile(now, imageEntries(fetching, missing));
}

async function* imageEntries(fetching: AsyncIterable<[Wanted, Fetched<Image>]>, missing: string[]) {
  for await (const [{ name, url }, fetched] of fetching) {
    if (fetched.kind === "missing") {
      missing.push(`${name}: ${fetched.reason} (${url})`);
      continue;
    }
    const { contentType, bytes } = fetched.image;
    yield { path: `${name}.${contentType.replace("image/", "").replace("jpeg", "jpg")}`, bytes };
  }
  if (missing.length > 0) yield { path: "missing.txt", text: [`${missing.join("\r\n")}\r\n`] };
}

/** Yields both sides of each card. Adds a side without a URL to `missing`. */
async function* wantedImages(pages: AsyncIterable<StreamedRow[]>, missing: string[]) {
  const nameOf = cardNames();
  for await (const rows of pages) {
    for (const { row } of rows) {
      const card = nameOf(row);
      for (const side of SIDES) {
        const url = side === "front" ? row.imageUrl : row.imageUrlBack;
        const name = `${card}_${side}`;
        if (url === null || url === NOT_AVAILABLE) missing.push(`${name}: the grading company has no image of it`);
        else yield { name, rowId: row.id, side, url };
      }
    }
  }
}

/** Names a card by its cert number. If another company has the same number, adds the company code as a prefix. */
function cardNames(): (row: ResultRow) => string {
  const owners = new Map<string, string>();
  return ({ certNumber, gradingCompany }) => {
    const owner = owners.get(certNumber) ?? gradingCompany;
    owners.set(certNumber, owner);
    const name = owner === gradingCompany ? certNumber : `${gradingCompany}_${certNumber}`;
    return name.replace(/[^\w-]/g, "_");
  };
}
