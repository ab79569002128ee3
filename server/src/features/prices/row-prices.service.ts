import type { PriceSourceName, RowSales } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { companySchema } from "@slabdesk/contract/api/cards.ts";
import { salesOf } from "@slabdesk/contract/market/pricing.ts";
import { chunksOf } from "../../concurrency/chunks.ts";
import type { Shares } from "../../concurrency/shares.ts";
import { conflict, HttpError, noSuchThing } from "../../http/http-error.ts";
import { listSales } from "./quotes.repo.ts";
import type { PriceAnswer } from "./quotes.service.ts";
import type { SinglePricesService } from "./single-prices.service.ts";
import * as prices from "./row-prices.repo.ts";
import {
  changeSession,
  findRowById,
  noteRequestedAgain,
  ROWS_A_TURN,
  splitEvent,
} from "../sessions/session-changes.service.ts";
import { presentRow, type RowRecord, type SessionRow } from "../sessions/sessions.present.ts";
import { requestPrices, priceSettlementOf, type PricingContext } from "./price-requests.service.ts";
import { showSession, type Authorized, type Viewer } from "../sessions/sessions.service.ts";

export type RowPricesService = ReturnType<typeof createRowPricesService>;

const NO_SOURCE = "No price source is set up. An administrator must set CardLadder's or CardsIQ's credentials";

export function createRowPricesService(parts: PricingContext & { singlePrices: SinglePricesService }) {
  const { db, pricing, singlePrices, activity, sessions } = parts;

  function demandSources(): void {
    if (pricing.sourcesOn.length === 0) throw new HttpError(503, "not_configured", NO_SOURCE);
  }

  return {
    /**
     * Requests prices of a session's found cards (again), or with row ids only of those, without turning on pricing for
     * the session. Makes no grader calls, and reuses prices of the last day, so that a repeated call requests nothing
     * twice. Works in batches, because the session's run waits for each.
     * @throws HttpError 503 if no price source is configured
     */
    async reprice(viewer: Viewer, session: Authorized<SessionRow>, rowIds: readonly number[] | null) {
      demandSources();
      await changeSession(db, session.id, noteRequestedAgain);
      if (rowIds === null) await prices.includePricing(db, session.id);
      const found = await prices.listFoundRows(db, session.id, rowIds);
      for (const some of chunksOf(found, ROWS_A_TURN))
        await sessions.changeCounted(session.id, (locked) => requestPrices(parts, locked, some, true));
      const about = { sessionId: session.id, sessionName: session.session_name };
      const what = rowIds === null ? "session" : `${found.length} cards of session`;
      await activity.log(viewer.id, "pricing_fetch", `Repriced ${what} ${session.session_name}`, about);
      return showSession(db, session.id);
    },

    /**
     * Fetches one row's price from every configured source and writes it to all of the session's rows with that card.
     * Holds the viewer's place for changes only while it writes. `givenUp` aborts when the client disconnects.
     * @throws HttpError 409 if the row has no found card, 404 if no source has a price, or the reason the fetch failed
     */
    async getPrice(
      viewer: Viewer,
      row: Authorized<RowRecord>,
      { changePlaces, givenUp }: { changePlaces: Shares; givenUp: AbortSignal },
    ): Promise<ResultRow> {
      demandSources();
      const company = companySchema.safeParse(row.grading_company).data;
      if (row.outcome !== "found" || !company) throw conflict("Only found cards can have prices");
      const card = { company, certNumber: row.cert_number };
      const asked = await Promise.allSettled(
        pricing.sourcesOn.map(async (source): Promise<[PriceSourceName, PriceAnswer]> => [
          source,
          await singlePrices.fetchOne(source, card, { userId: viewer.id, givenUp }),
        ]),
      );
      const answers = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const write = () =>
        sessions.changeCounted(row.session_id, async (locked) => {
          const left = [];
          for (const [source, answer] of answers) {
            const settlement = priceSettlementOf(answer);
            if (settlement) left.push(await prices.settlePrices(locked, source, card, settlement));
          }
          await splitEvent(locked);
          return prices.leaving(left.flat());
        });
      const isStored = answers.length > 0 && (await changePlaces.run(viewer.id, write));
      if (!answers.some(([, answer]) => answer.code === "quoted" && answer.price)) {
        for (const one of asked) if (one.status === "rejected") throw one.reason;
        for (const [, answer] of answers) throw singlePrices.refusal(answer);
      }
      const priced = isStored && (await findRowById(db, row.id));
      if (!priced) throw noSuchThing("result");
      const about = { resultId: String(row.id) };
      await activity.log(viewer.id, "pricing_fetch", `Fetched the price of ${company} ${row.cert_number}`, about);
      return presentRow(priced);
    },

    /** Returns the sales of each source's quote, newest first. */
    async sales({ prices: { cardladder, cardsiq } }: Authorized<RowRecord>): Promise<RowSales> {
      const ids = [cardladder?.quoteId, cardsiq?.quoteId].filter((id) => typeof id === "number");
      const quotes = await listSales(db, ids);
      const salesBehind = (quoteId: number | null = null) => {
        const quote = quoteId === null ? undefined : quotes.get(quoteId);
        return quote ? salesOf(quote.sales, quote.fetchedAt) : [];
      };
      return { cardladder: salesBehind(cardladder?.quoteId), cardsiq: salesBehind(cardsiq?.quoteId) };
    },
  };
}
