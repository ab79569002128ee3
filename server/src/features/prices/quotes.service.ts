import { PRICE_SOURCES, type PriceSourceName, type RowSales } from "@slabdesk/contract/api/prices.ts";
import { salesOf } from "@slabdesk/contract/market/pricing.ts";
import type { Database } from "../../database/connection.ts";
import type { Breaker, Gate } from "../../upstreams/breaker.ts";
import type { Lanes } from "../../upstreams/lane.ts";
import type { PricedCard, PriceSource } from "../../price-sources/price-source.ts";
import { nameOf, type PriceFetcher } from "./quote-fetcher.service.ts";
import { forgetQuotesOfOthers, listFreshQuotes, listSales } from "./quotes.repo.ts";

export type { PriceAnswer } from "./quote-fetcher.service.ts";

export type PricingParts = {
  db: Database;
  sources: Record<PriceSourceName, PriceSource>;
  fetcher: PriceFetcher;
  lanes: Pick<Lanes, PriceSourceName>;
  breaker: Pick<Breaker, "state">;
  upstreams: "demo" | "live";
};
export type PricingService = ReturnType<typeof createPricingService>;

/** Prices cards through the configured sources. Each source is asked for a card at most once a day. */
export function createPricingService(parts: PricingParts) {
  const { db, fetcher, sources, lanes, breaker } = parts;

  return {
    start: () => forgetQuotesOfOthers(db, parts.upstreams),
    close: fetcher.close,
    /** The sources that are configured. */
    sourcesOn: PRICE_SOURCES.filter((name) => sources[name].isOn),
    batchSizeOf: (name: PriceSourceName): number => sources[name].batchSize,
    /** Returns whether a source would be asked now, or until when it is paused. */
    gate: async (name: PriceSourceName): Promise<Gate> => (await breaker.state(name)).gate,
    fetch: fetcher.fetch,

    /**
     * Estimates the most calls that pricing these cards can take, for plans. Cached cards (`known`) are priced in
     * batches. Cards that must be looked up first (`looked`) are priced one at a time.
     */
    async forecast(name: PriceSourceName, cards: { known: readonly PricedCard[]; looked: readonly PricedCard[] }) {
      const { isOn, batchSize, callsPerBatch } = sources[name];
      if (!isOn) return { isOn, cards: 0, cached: 0, calls: 0, batches: 0, batchSize, gate: OPEN, paceMs: 0 };
      const all = [...cards.known, ...cards.looked];
      const cached = await listFreshQuotes(db, name, all);
      const count = (some: readonly PricedCard[]) => some.filter((card) => !cached.has(nameOf(card))).length;
      const batches = Math.ceil(count(cards.known) / batchSize) + count(cards.looked);
      const { gate } = await breaker.state(name);
      const paceMs = await lanes[name].paceMs();
      const counts = { cards: count(all), cached: all.length - count(all) };
      return { isOn, ...counts, calls: batches * callsPerBatch, batches, batchSize, gate, paceMs };
    },

    /** Returns the sales of one quote per source, newest first. */
    async sales(quotes: Record<PriceSourceName, number | null>): Promise<RowSales> {
      const ids = Object.values(quotes).filter((id) => id !== null);
      const found = await listSales(db, ids);
      const of = (id: number | null) => {
        const quote = id === null ? undefined : found.get(id);
        return quote ? salesOf(quote.sales, quote.fetchedAt) : [];
      };
      return { cardladder: of(quotes.cardladder), cardsiq: of(quotes.cardsiq) };
    },
  };
}

const OPEN: Gate = { kind: "open" };
