import type { Readable } from "node:stream";
import type { z } from "zod";
import type { exportQuerySchema } from "@slabdesk/contract/api/sessions.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { EXPORT_COLUMNS, SESSION_EXPORT_COLUMNS, type ExportColumn } from "@slabdesk/contract/sheet/export-columns.ts";
import { requests } from "../../concurrency/budgets.ts";
import { chunksOf } from "../../concurrency/chunks.ts";
import { restBefore } from "../../concurrency/event-loop.ts";
import { letOthers, type Pause } from "../../concurrency/text-pieces.ts";
import type { Context } from "../../context.ts";
import { SPREADSHEET, streamCsv } from "../../csv-stream.ts";
import { SIGN_IN_MESSAGE } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import type { ImagesService } from "../photos/images.service.ts";
import { publicUrlOf, withGradersImages, withOwnPhotos } from "../photos/own-photos.service.ts";
import type { SessionRow } from "../sessions/sessions.present.ts";
import { type Authorized, findHeader, type Viewer } from "../sessions/sessions.service.ts";
import { exportFileName, wasWorkbook } from "./file-name.rules.ts";
import { imagesZip } from "./images-zip.file.ts";
import { ebayTable } from "./listings/ebay.file.ts";
import { shopifyTable } from "./listings/shopify.file.ts";
import { whatnotTable } from "./listings/whatnot.file.ts";
import { type OfferOfRow, originalTable, workbookTable } from "./results.file.ts";
import { csvFile, foundOnce, jsonFile } from "./table.file.ts";
import { workbookFile, type WorkbookOptions } from "./workbook.file.ts";

export type ExportsContext = Context & { images: ImagesService };

/** `date` is the day in the file's name, today by default. Without `rowIds`, all rows are exported. */
export type ExportWish = z.output<typeof exportQuerySchema> & { rowIds?: readonly number[] };

/** `isStillAllowed`: whether the viewer is still signed in and kept their role. */
export type Reader = { viewer: Viewer; isStillAllowed: () => Promise<boolean> };

/** Rows between two checks of the reader. Images may have to be fetched first. */
const ROWS_AT_ONCE = 500;
const LINES_AT_ONCE = 2_000;
const ROWS_WITH_IMAGES_AT_ONCE = 20;
/** About what an export costs without its rows, a row before it is written, and an image if it is cached. */
const EXPORT_MS = 10;
const ROW_MS = 0.03;
const IMAGE_MS = 2;

/** The CSV form of all shop files. They don't need a byte-order mark. */
const SHOP = { delimiter: ",", hasMark: false } as const;

/**
 * Exports a session, or selected rows of it, as a file. Streams the body. If a read fails, the body is aborted, so that
 * a client can detect an incomplete file. The same happens if the viewer loses access.
 * @throws HttpError 404 if the session doesn't exist or belongs to another user
 */
export async function exportFile(context: ExportsContext, reader: Reader, sessionId: string, wish: ExportWish) {
  const { viewer } = reader;
  const session = await context.sessions.authorize(viewer, sessionId);
  requests.spend(viewer.id, EXPORT_MS);
  const today = wish.date === undefined ? context.now() : new Date(`${wish.date}T00:00`);
  const fileName = exportFileName(wish.format, session, today, wish.thumbnails);
  const rowCount = wish.rowIds?.length ?? session.total_cards;
  const what = wish.rowIds ? `${rowCount} selected ${rowCount === 1 ? "card" : "cards"} as ${fileName}` : fileName;
  const about = { sessionId, rowCount, format: wish.format };
  await context.activity.log(viewer.id, "csv_download", `Downloaded ${what}`, about);
  return { fileName, ...(await contentOf(context, reader, session, wish)) };
}

type Session = Authorized<SessionRow>;

async function contentOf(context: ExportsContext, reader: Reader, session: Session, wish: ExportWish) {
  const { sessions, images, now } = context;
  const { viewer } = reader;
  const rowsAtOnce = wish.thumbnails || wish.format === "images.zip" ? ROWS_WITH_IMAGES_AT_ONCE : ROWS_AT_ONCE;
  const rowIds = wish.rowIds ?? null;
  const pages = whileAllowed(reader, sessions.streamRows(viewer, session, rowIds), rowsAtOnce);
  const pause: Pause = async (ms) => {
    await letOthers(ms);
    await restBefore(viewer.id, ms);
  };
  const readable = withOwnPhotos(context, pages);
  const listed = withGradersImages(context, foundOnce(pages));
  switch (wish.format) {
    case "csv":
      return asCsv(resultsCsv(context, reader, session, wish, EXPORT_COLUMNS, pause));
    case "session-csv":
      return asCsv(resultsCsv(context, reader, session, wish, SESSION_EXPORT_COLUMNS, pause));
    case "ebay":
      return asCsv(csvFile(ebayTable(wish), listed, SHOP, pause));
    case "shopify":
      return asCsv(csvFile(shopifyTable(wish), listed, SHOP, pause));
    case "whatnot":
      return asCsv(csvFile(whatnotTable(wish), listed, SHOP, pause));
    case "xlsx": {
      const table = workbookTable(await offerOfRow(context, session));
      return asWorkbook(workbookFile(table, readable, workbookOptions(context, viewer, session, wish, pause)));
    }
    case "original": {
      const table = originalTable(await findHeader(context.db, session.id), await offerOfRow(context, session));
      if (!wasWorkbook(session.csv_filename))
        return asCsv(csvFile(table, readable, { ...SPREADSHEET, delimiter: session.delimiter }, pause));
      const options = workbookOptions(context, viewer, session, { ...wish, thumbnails: false }, pause);
      return asWorkbook(workbookFile(table, readable, options));
    }
    case "images.zip":
      return {
        contentType: "application/zip",
        body: imagesZip(viewer, pages, { get: inTurn(viewer, images.get) }, now()),
      };
    case "json":
      return {
        contentType: "application/json; charset=utf-8",
        body: jsonFile(await sessions.present(session), pages, pause),
      };
  }
}

/** Writes the first columns of the results file as CSV. */
function resultsCsv(
  { config, sessions }: ExportsContext,
  reader: Reader,
  session: Session,
  { rowIds }: ExportWish,
  columns: readonly ExportColumn[],
  pause: Pause,
): Readable {
  const file = { columns: columns.length, publicUrl: publicUrlOf(config) };
  const lines = sessions.streamLines(reader.viewer, session, rowIds ?? null, file);
  const header = columns.map((column) => column.header);
  return streamCsv([header], whileAllowed(reader, lines, LINES_AT_ONCE), SPREADSHEET, pause);
}

/** Breaks off when the reader has lost access, which may happen during a long download. */
async function* whileAllowed<Row>({ viewer, isStillAllowed }: Reader, pages: AsyncIterable<Row[]>, atOnce: number) {
  for await (const page of pages) {
    for (const rows of chunksOf(page, atOnce)) {
      if (!(await isStillAllowed())) throw new HttpError(401, "unauthorized", SIGN_IN_MESSAGE);
      await restBefore(viewer.id, rows.length * ROW_MS);
      yield rows;
    }
  }
}

/** Makes reads of images spend the budget, and wait if the viewer must rest. */
function inTurn<A extends unknown[], T>(viewer: Viewer, read: (...of: A) => Promise<T>) {
  return async (...of: A): Promise<T> => {
    await restBefore(viewer.id, IMAGE_MS);
    return read(...of);
  };
}

async function offerOfRow({ sessions }: Context, session: Session): Promise<OfferOfRow> {
  const { offer_rule: rule } = session;
  return rule !== null || (await sessions.hasOwnOffers(session)) ? (row) => offerOf(rule, row) : null;
}

const asCsv = (body: Readable) => ({ contentType: "text/csv; charset=utf-8", body });

const asWorkbook = (body: Readable) => ({
  contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  body,
});

function workbookOptions(
  { images, log, now }: ExportsContext,
  viewer: Viewer,
  session: Session,
  { thumbnails, rowIds }: ExportWish,
  pause: Pause,
): WorkbookOptions {
  return {
    rows: rowIds?.length ?? session.total_cards,
    thumbnailOf: thumbnails ? inTurn(viewer, (rowId: string) => images.sheetThumbnail(viewer, rowId)) : null,
    onMissing: (missing) => log.warn({ sessionId: session.id, ...missing }, "Images are missing from a workbook"),
    pause,
    now: now(),
  };
}
