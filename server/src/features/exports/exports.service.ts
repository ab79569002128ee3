import type { Readable } from "node:stream";
import type { ListingPrice } from "@slabdesk/contract/api/prices.ts";
import type { ExportFormat } from "@slabdesk/contract/api/sessions.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { SPREADSHEET } from "../../csv-stream.ts";
import type { Download } from "../../http/download.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import type { ExportedPhotosService } from "../photos/exported-photos.service.ts";
import type { ImagesService } from "../photos/images.service.ts";
import type { SessionsService, Viewer } from "../sessions/sessions.service.ts";
import { exportFileName, wasWorkbook } from "./file-name.rules.ts";
import { imagesZip } from "./images-zip.file.ts";
import { jsonFile } from "./json.file.ts";
import { ebayTable } from "./listings/ebay.file.ts";
import { shopifyTable } from "./listings/shopify.file.ts";
import { whatnotTable } from "./listings/whatnot.file.ts";
import { originalTable } from "./original.file.ts";
import { type OfferOfRow, resultsTable, sessionTable, workbookTable } from "./results.file.ts";
import { csvFile, foundOnce } from "./table.file.ts";
import { workbookFile, type WorkbookOptions } from "./workbook.file.ts";

export type ExportsService = ReturnType<typeof createExportsService>;
export type ExportsParts = {
  sessions: Pick<SessionsService, "authorize" | "hasOwnOffers" | "present" | "streamRows">;
  /** Reads the header of a session's sheet. */
  headerOf: (sessionId: string) => Promise<string[]>;
  images: Pick<ImagesService, "picture" | "sheetThumbnail">;
  exportedPhotos: ExportedPhotosService;
  activity: Pick<ActivityService, "log">;
  /** Logs the pictures that are missing from a file, with reasons. */
  warn: (details: object, message: string) => void;
  now: () => Date;
};

/**
 * An export request. `date` is the day in the file's name, today by default. `thumbnails` adds pictures to a workbook.
 * Listings have the listing price. Without `rowIds`, all rows are exported.
 */
export type ExportWish = ListingPrice & {
  format: ExportFormat;
  date?: string | undefined;
  thumbnails: boolean;
  rowIds?: readonly number[];
};
type Content = Pick<Download, "contentType" | "body">;

/** The CSV form of all shop files. They don't need a byte-order mark. */
const SHOP = { delimiter: ",", hasMark: false } as const;

export function createExportsService(parts: ExportsParts) {
  return {
    /**
     * Exports a session, or selected rows of it, as a file. Streams the body from the database. If a read fails, the
     * body is aborted, so that a client can detect an incomplete file. The activity log says who exported what.
     *
     * @throws HttpError 404 if the session doesn't exist or belongs to another user
     */
    async file(viewer: Viewer, sessionId: string, wish: ExportWish): Promise<Download> {
      const session = await parts.sessions.authorize(viewer, sessionId);
      const fileName = exportFileName(
        wish.format,
        session,
        wish.date === undefined ? parts.now() : new Date(`${wish.date}T00:00`),
        wish.thumbnails,
      );
      const rowCount = wish.rowIds?.length ?? session.total_cards;
      const what = wish.rowIds ? `${rowCount} selected ${rowCount === 1 ? "card" : "cards"} as ${fileName}` : fileName;
      const about = { sessionId, rowCount, format: wish.format };
      await parts.activity.log(viewer.id, "csv_download", `Downloaded ${what}`, about);
      return { fileName, ...(await contentOf(parts, viewer, session, wish)) };
    },
  };
}

type Session = Awaited<ReturnType<ExportsParts["sessions"]["authorize"]>>;

async function contentOf(parts: ExportsParts, viewer: Viewer, session: Session, wish: ExportWish): Promise<Content> {
  const pages = parts.sessions.streamRows(viewer, session, wish.rowIds ?? null);
  const readable = parts.exportedPhotos.withOwnPhotos(pages);
  const listed = parts.exportedPhotos.withGradersPictures(foundOnce(pages));
  switch (wish.format) {
    case "csv":
      return asCsv(csvFile(resultsTable, readable, SPREADSHEET));
    case "session-csv":
      return asCsv(csvFile(sessionTable, readable, SPREADSHEET));
    case "ebay":
      return asCsv(csvFile(ebayTable(wish), listed, SHOP));
    case "shopify":
      return asCsv(csvFile(shopifyTable(wish), listed, SHOP));
    case "whatnot":
      return asCsv(csvFile(whatnotTable(wish), listed, SHOP));
    case "xlsx":
      return asWorkbook(
        workbookFile(
          workbookTable(await offerOfRow(parts, session)),
          readable,
          workbookOptions(parts, viewer, session, wish),
        ),
      );
    case "original": {
      const table = originalTable(await parts.headerOf(session.id), await offerOfRow(parts, session));
      if (!wasWorkbook(session.csv_filename))
        return asCsv(csvFile(table, readable, { ...SPREADSHEET, delimiter: session.delimiter }));
      const options = workbookOptions(parts, viewer, session, { ...wish, thumbnails: false });
      return asWorkbook(workbookFile(table, readable, options));
    }
    case "images.zip":
      return { contentType: "application/zip", body: imagesZip(viewer, pages, parts.images, parts.now()) };
    case "json":
      return {
        contentType: "application/json; charset=utf-8",
        body: jsonFile(await parts.sessions.present(session), pages),
      };
  }
}

async function offerOfRow({ sessions }: ExportsParts, session: Session): Promise<OfferOfRow> {
  const { offer_rule: rule } = session;
  return rule !== null || (await sessions.hasOwnOffers(session)) ? (row) => offerOf(rule, row) : null;
}

const asCsv = (body: Readable): Content => ({ contentType: "text/csv; charset=utf-8", body });

const asWorkbook = (body: Readable): Content => ({
  contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  body,
});

function workbookOptions(
  { images, warn, now }: ExportsParts,
  viewer: Viewer,
  session: Session,
  { thumbnails, rowIds }: ExportWish,
): WorkbookOptions {
  return {
    rows: rowIds?.length ?? session.total_cards,
    thumbnailOf: thumbnails ? (rowId) => images.sheetThumbnail(viewer, rowId) : null,
    onMissing: (missing) => warn({ sessionId: session.id, ...missing }, "Pictures are missing from a workbook"),
    now: now(),
  };
}
