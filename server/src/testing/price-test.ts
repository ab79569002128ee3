import { sql } from "kysely";
import { findMarket, type Market } from "@slabdesk/simulator/prices/market.ts";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { NewScanSession, ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { followUntil, rowsOf, sheetOf, type ScanTest } from "./scan-test.ts";
import type { Person } from "./test-server.ts";

type Line = [certNumber: string, gradingCompany: string];

/** A sheet with prices. */
export function pricedSheet(lines: readonly Line[], options: Partial<NewScanSession> = {}): NewScanSession {
  return sheetOf(lines, { includePricing: true, mode: "api", ...options });
}

/** Lines of PSA certificates from `first` on that have prices at both simulated sources. */
export function pricedLines(first: number, count: number): [certNumber: string, gradingCompany: "PSA"][] {
  const lines: [string, "PSA"][] = [];
  for (let number = first; lines.length < count; number += 1) {
    if (findMarket("psa", String(number))) lines.push([String(number), "PSA"]);
  }
  return lines;
}

/** Caches the cards of these lines, so that a run copies them and calls no grader. */
export async function makeKnown(test: ScanTest, lines: readonly Line[]): Promise<void> {
  const card = JSON.stringify({ itemName: "1999 POKEMON", player: "N/A", brand: "N/A" });
  await sql`
    INSERT INTO cached_certs (grading_company, cert_number, card, source, notes)
    SELECT 'PSA', cert_number, ${card}::jsonb, 'api', '' FROM unnest(${lines.map(([cert]) => cert)}::text[]) AS cert_number
  `.execute(test.db);
}

export function marketOf(certNumber: string): Market {
  const market = findMarket("psa", certNumber);
  if (!market) throw new Error(`The simulator has no price of ${certNumber}`);
  return market;
}

/** Makes all quotes this many hours older. */
export async function letQuotesAge(test: ScanTest, hours: number): Promise<void> {
  await sql`UPDATE price_quotes SET fetched_at = fetched_at - make_interval(hours => ${hours})`.execute(test.db);
}

/** Pauses the endpoint as failures would: prices stay pending up to 30 s ahead, beyond that they wait. */
export async function pausePrices(test: ScanTest, sources: readonly PriceSourceName[], seconds: number): Promise<void> {
  await sql`
    UPDATE endpoints SET paused_until = now() + make_interval(secs => ${seconds}), pause_code = 'unavailable',
      pause_message = 'out of order'
    WHERE name = ANY(${sources})`.execute(test.db);
}

/** Certificates by source, in the order of the requests: CardLadder's first calls, CardsIQ's batches. */
export function askedPrices({ simulator }: ScanTest): { cardladder: string[]; cardsiq: string[] } {
  const builds = simulator.calls.list({ endpoint: "cardladder", path: "/cardladder-api/httpbuildcollectioncard" });
  const batches = simulator.calls.list({ endpoint: "cardsiq" });
  return {
    cardladder: builds.map(({ cert }) => cert ?? ""),
    cardsiq: batches.flatMap(({ certs }) => certs ?? []),
  };
}

/** Calls to graders for any purpose. */
export function graderCalls({ simulator }: ScanTest): number {
  return (["psa-api", "psa-web", "cgc-api", "cgc-web", "tag-api", "tag-web"] as const)
    .map((endpoint) => simulator.calls.total(endpoint))
    .reduce((sum, count) => sum + count, 0);
}

/** Follows a session until it has ended and no price is to come; returns its rows. */
export async function finishPrices(test: ScanTest, person: Person, { id }: { id: string }): Promise<ResultRow[]> {
  const isOver = ({ status, prices }: ScanSession): boolean =>
    status !== "processing" && prices.pending === 0 && prices.waiting === 0;
  await followUntil(test, person, id, (event) => isOver(event.session));
  return rowsOf(test, person, id);
}

/** The price states of the rows, as "priced none" for CardLadder and CardsIQ. */
export function statesOf(rows: readonly ResultRow[]): string[] {
  return rows.map(({ prices }) => `${prices.cardladder.state} ${prices.cardsiq.state}`);
}
