import type { PriceSourceName, RowSales } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { companySchema } from "@slabdesk/contract/api/cards.ts";
import type { Database } from "../../database/connection.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import { onBehalfOf } from "../../lanes/on-behalf-of.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import type { PriceAnswer, PricingService } from "../pricing/pricing.service.ts";
import type { SinglePricesService } from "../pricing/single-prices.service.ts";
import type { ScanChangesService } from "./scan-changes.service.ts";
import * as prices from "./scan-prices.repo.ts";
import * as rows from "./scan-rows.repo.ts";
import { presentRow, presentSession, type RowRecord, type SessionRecord } from "./scans.present.ts";
import { askForPrices, changePrices, priceSettlementOf, sumOf, type AskingPrices } from "./scans.prices.ts";
import type { Tally } from "./scans.repo.ts";
import { getSession, type Authorized, type Viewer } from "./scans.service.ts";

export type ScanPricesService = ReturnType<typeof createScanPricesService>;
export type ScanPricesParts = Pick<AskingPrices, "jobs"> & {
  db: Database;
  pricing: Pick<PricingService, "sourcesOn" | "sales">;
  singlePrices: Pick<SinglePricesService, "fetchOne" | "refusal">;
  activity: ActivityService;
  changes: Pick<ScanChangesService, "logCompleted">;
};

/** What one event tells of at most; the rows of a run that goes on meanwhile settle in between. */
const ROWS_A_TURN = 2_000;

/** The prices of sessions that exist: fetched anew, for one row by hand, and what was offered. */
export function createScanPricesService({ db, jobs, pricing, singlePrices, activity, changes }: ScanPricesParts) {
  function demandSources(): void {
    if (pricing.sourcesOn.length > 0) return;
    const message = "No price source is set up. An administrator sets CardLadder's or CardsIQ's credentials";
    throw new HttpError(503, "not_configured", message);
  }

  return {
    /**
     * Asks for the prices of a session's found cards again, or for the first time; with ids, of these rows alone, and
     * the session asks for no others than before. No grader is called; a price of the last day is used as it is. Asked
     * twice, the second time finds nothing to ask for, so one that was interrupted is asked again. A large session is
     * asked for in turns, as its run waits for each.
     *
     * @throws HttpError 503 when no price source is set up
     */
    async reprice(
      viewer: Viewer,
      session: Authorized<SessionRecord>,
      rowIds: readonly number[] | null,
    ): Promise<ScanSession> {
      demandSources();
      if (rowIds === null) await prices.includePricing(db, session.id);
      const found = await prices.listFoundRows(db, session.id, rowIds);
      for (let at = 0; at < found.length; at += ROWS_A_TURN) {
        const some = found.slice(at, at + ROWS_A_TURN);
        await changePrices(db, session.id, (trx, eventSeq) =>
          askForPrices({ jobs, pricing }, trx, { sessionId: session.id, eventSeq, rows: some, again: true }),
        );
      }
      const about = { sessionId: session.id, sessionName: session.session_name };
      const what = rowIds === null ? "session" : `${found.length} cards of session`;
      await activity.log(viewer.id, "pricing_fetch", `Repriced ${what} ${session.session_name}`, about);
      return presentSession(await getSession(db, session.id));
    },

    /**
     * Fetches the price of one row at every source that is set up, and writes it into all rows of its card in the
     * session. `givenUp` aborts when nobody waits any more.
     *
     * @throws HttpError 409 for a row without a card, 404 when no source has a price, else why none could be fetched
     */
    async getPrice(viewer: Viewer, row: Authorized<RowRecord>, givenUp: AbortSignal): Promise<ResultRow> {
      demandSources();
      const company = companySchema.safeParse(row.grading_company).data;
      if (row.outcome !== "found" || !company) {
        throw new HttpError(409, "conflict", "Only a card that was found has a price");
      }
      const card = { company, certNumber: row.cert_number };
      const asked = await Promise.allSettled(
        pricing.sourcesOn.map(async (source): Promise<[PriceSourceName, PriceAnswer]> => [
          source,
          await onBehalfOf(viewer.id, () => singlePrices.fetchOne(source, card, givenUp)),
        ]),
      );
      const answers = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const which = { sessionId: row.session_id, ...card };
      const done = await changePrices(db, row.session_id, async (trx, eventSeq) => {
        const tallies: Tally[] = [];
        for (const [source, answer] of answers) {
          const settlement = priceSettlementOf(answer);
          if (settlement) tallies.push(await prices.settlePrices(trx, source, which, eventSeq, settlement));
        }
        return sumOf(tallies);
      });
      if (done?.completed) await changes.logCompleted(done.userId, row.session_id);
      if (!answers.some(([, answer]) => answer.code === "quoted" && answer.price)) {
        for (const one of asked) if (one.status === "rejected") throw one.reason;
        for (const [, answer] of answers) throw singlePrices.refusal(answer);
      }
      const priced = done && (await rows.findRowById(db, row.id));
      if (!priced) throw noSuchThing("result");
      const about = { resultId: String(row.id) };
      await activity.log(viewer.id, "pricing_fetch", `Fetched the price of ${company} ${row.cert_number}`, about);
      return presentRow(priced);
    },

    /** The sales behind a row's prices. */
    sales: (row: Authorized<RowRecord>): Promise<RowSales> =>
      pricing.sales({ cardladder: row.cardladder_quote, cardsiq: row.cardsiq_quote }),
  };
}
