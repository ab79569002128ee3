import type { z } from "zod";
import { OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import type { cardladderRequestSchema, PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import { parseNumericGrade } from "@slabdesk/contract/certs/grade.ts";
import { createShares } from "../../concurrency/shares.ts";
import { refusalOf } from "../../http/concurrent-requests.ts";
import { HttpError } from "../../http/http-error.ts";
import { onBehalfOf } from "../../upstreams/on-behalf-of.ts";
import type { PricedCard } from "../../price-sources/price-source.ts";
import { errorOf, readNumber, SINGLES_AT_ONCE, unlessRestarting } from "../certs/certs.service.ts";
import type { PricingContext } from "./price-requests.service.ts";
import { listCardsNamed } from "./quotes.repo.ts";
import { noPriceMessage, unanswered, type PriceAnswer } from "./quotes.service.ts";

/** Who asks for a price. `givenUp` aborts when the client disconnects. */
export type PriceRequest = { userId: string; givenUp: AbortSignal };
export type SinglePricesService = ReturnType<typeof createSinglePricesService>;

const TOO_MANY = `${SINGLES_AT_ONCE.each + SINGLES_AT_ONCE.waiting} of your single prices are already waiting. Try again in a minute, or reprice the session`;

export function createSinglePricesService({ db, pricing, upstreams, now }: PricingContext) {
  const shares = createShares({ ...SINGLES_AT_ONCE, refuse: refusalOf(TOO_MANY, 60) });
  const refusal = (answer: PriceAnswer): HttpError =>
    answer.code === "quoted"
      ? new HttpError(OUTCOMES.not_found.status, "not_found", answer.message)
      : errorOf(answer, now());

  /** Fetches one price. @throws HttpError 429 if too many requests are waiting, 503 if the server is stopping */
  async function fetchOne(name: PriceSourceName, card: PricedCard, request: PriceRequest): Promise<PriceAnswer> {
    const { userId, givenUp } = request;
    const single = () => onBehalfOf(userId, () => pricing.fetch(name, [card], request));
    const work = () => unlessRestarting(upstreams.lanes[name].runSingle(userId, single, givenUp));
    const [answer] = await shares.run(userId, work, givenUp);
    return answer ?? unanswered(name);
  }

  return {
    fetchOne,
    readNumber,

    /**
     * Returns the cert of a request: the given number, or else the newest cached cert of that name, grade and company.
     * @throws HttpError 404 if no cached cert matches, 400 if the number is invalid
     */
    async findCard({ cardName, grade, gradingCompany: company, certNumber }: CardladderRequest): Promise<PricedCard> {
      if (certNumber) return { company, certNumber: readNumber(company, certNumber) };
      const named = await listCardsNamed(db, company, cardName.replace(/\s+/g, " "));
      const card = named.find((one) => isSameGrade(one.grade, grade));
      if (card) return { company, certNumber: card.certNumber };
      const message = `${noPriceMessage("cardladder")}. CardLadder needs a certificate, and no ${company} ${grade} of this name was looked up here`;
      throw new HttpError(OUTCOMES.not_found.status, "not_found", message);
    },

    /**
     * Returns the price of the card that `find` returns.
     * @throws HttpError with a message for the user if the source is not configured or has no price
     */
    async demandPrice(name: PriceSourceName, find: () => PricedCard | Promise<PricedCard>, request: PriceRequest) {
      if (!pricing.sourcesOn.includes(name))
        throw new HttpError(OUTCOMES.not_configured.status, "not_configured", OFF_MESSAGE[name]);
      const answer = await fetchOne(name, await find(), request);
      if (answer.code === "quoted" && answer.price) return answer.price;
      throw refusal(answer);
    },

    refusal,
  };
}

const OFF_MESSAGE: Record<PriceSourceName, string> = {
  cardladder:
    "CardLadder is not set up: an administrator must enter CARDLADDER_WEB_KEY, CARDLADDER_EMAIL and CARDLADDER_PASSWORD in Admin → Sources",
  cardsiq: "CardsIQ is not set up: an administrator must enter CARDSIQ_API_URL and CARDSIQ_API_KEY in Admin → Sources",
};

export type CardladderRequest = z.output<typeof cardladderRequestSchema>;

function isSameGrade(printed: string, asked: string): boolean {
  const number = parseNumericGrade(asked);
  return number === null
    ? printed.trim().toLowerCase() === asked.trim().toLowerCase()
    : parseNumericGrade(printed) === number;
}
