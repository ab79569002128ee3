import type { Selectable } from "kysely";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import { type ImageFlag, type ResultRow, type RowStatus, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { differences } from "@slabdesk/contract/sheet/differences.ts";
import { CARD_COLUMN_NAMES } from "../../database/card-columns.ts";
import type { Schema } from "../../database/schema.ts";
import type { PriceRecords } from "../../database/row-prices.ts";
import { manualPauseMessage } from "../../upstreams/breaker.ts";

/** The columns of a session that most requests need. `header` isn't one: it can have a million characters. */
export const SESSION_COLUMNS = [
  ...(["id", "user_id", "session_name", "csv_filename", "delimiter", "total_cards", "processed_cards"] as const),
  ...(["processing_mode", "include_pricing", "reuse_known", "accept_companies", "is_growing", "is_partial"] as const),
  ...(["prices_pending", "prices_waiting", "offer_rule", "status", "event_seq"] as const),
  ...(["started_at", "completed_at", "upload_date"] as const),
] as const satisfies readonly (keyof Schema["scan_sessions"])[];
export type SessionRow = Pick<Selectable<Schema["scan_sessions"]>, (typeof SESSION_COLUMNS)[number]>;
export type SessionRecord = SessionRow & {
  counts: Partial<Record<RowStatus, number>>;
  causes: Partial<Record<OutcomeCode, number>>;
  waits: WaitRecord[];
  priceWaits: PriceWaitRecord[];
};
export type OwnedSession = SessionRecord & { owner_email: string; owner_name: string };
/** A paused price source that prices of the session wait for. */
export type PriceWaitRecord = {
  source: PriceSourceName;
  until: Date | null;
  message: string;
  manually_paused_at: Date | null;
  manually_paused_by: string | null;
};
export type WaitRecord = Omit<ScanSession["waits"][number], "until"> & { session_id: string; until: Date | null };
export type RowRecord = Selectable<Schema["scan_results"]> & { prices: PriceRecords };

/** The columns that `presentRow` needs. Lists of rows read no others. */
export const SHOWN_COLUMNS = [
  ...(["id", "session_id", "line", "status", "outcome", "waiting_until", "source", "entry", "event_seq"] as const),
  ...(["cert_number", "grading_company", "price", "price_text", "customer_price", "own_offer", "notes"] as const),
  ...(["sheet_notes", "sheet_card", "processing_error", "warnings", "same_sides"] as const),
  ...(["reviewed_at", "processed_at"] as const),
  ...CARD_COLUMN_NAMES,
] as const satisfies readonly (keyof Schema["scan_results"])[];
export type ShownRecord = Pick<RowRecord, (typeof SHOWN_COLUMNS)[number] | "prices">;

/** Lists every field by name, so that new columns are not exposed by accident. */
export function presentSession(record: SessionRecord | OwnedSession): ScanSession {
  return {
    id: record.id,
    sessionName: record.session_name,
    csvFilename: record.csv_filename,
    totalCards: record.total_cards,
    processedCards: record.processed_cards,
    processingMode: record.processing_mode,
    includePricing: record.include_pricing,
    status: record.status,
    startedAt: record.started_at.toISOString(),
    isPartial: record.is_partial,
    completedAt: record.status === "processing" ? null : (record.completed_at?.toISOString() ?? null),
    uploadDate: record.upload_date.toISOString(),
    counts: record.counts,
    causes: record.causes,
    waits: record.waits.map(({ company, outcome, until, count, message, canScrape }) => ({
      company,
      outcome,
      until: until?.toISOString() ?? null,
      count,
      message,
      canScrape,
    })),
    prices: {
      pending: record.prices_pending,
      waiting: record.prices_waiting,
      waits: record.priceWaits.map(presentPriceWait),
    },
    offerRule: record.offer_rule,
    eventSeq: record.event_seq,
    ...("owner_email" in record && {
      owner: { id: record.user_id, email: record.owner_email, fullName: record.owner_name },
    }),
  };
}

function presentPriceWait(wait: PriceWaitRecord): ScanSession["prices"]["waits"][number] {
  const { source, until, message, manually_paused_at: at, manually_paused_by: by } = wait;
  if (at) return { source, until: null, message: manualPauseMessage(source, { by: by ?? "", at }) };
  return { source, until: until?.toISOString() ?? null, message };
}

export function presentRow(record: ShownRecord): ResultRow {
  const { entry } = record;
  const { cardladder, cardsiq } = record.prices;
  return {
    id: String(record.id),
    sessionId: record.session_id,
    line: record.line,
    status: record.status,
    outcome: record.outcome,
    waitingUntil: record.waiting_until?.toISOString() ?? null,
    source: record.source,
    entry: entry && { by: entry.by, at: entry.at, card: entry.card },
    certNumber: record.cert_number,
    gradingCompany: record.grading_company,
    itemName: record.item_name,
    player: record.player_character,
    year: record.year,
    language: record.language,
    brand: record.brand_set,
    cardNumber: record.card_number,
    grade: record.grade,
    sport: record.sport_game,
    variety: record.variety,
    graderNotes: record.grader_notes,
    tagScore: record.tag_score,
    imageUrl: record.front_image_url,
    imageUrlBack: record.back_image_url,
    certUrl: record.cert_url,
    inventoryName: record.inventory_name,
    price: record.price,
    priceText: record.price_text,
    customerPrice: record.customer_price,
    notes: record.notes,
    pricing: cardladder?.price ?? null,
    cardsiq: cardsiq?.price ?? null,
    population: record.population,
    populationHigher: record.population_higher,
    populationAsOf: record.population_as_of?.toISOString() ?? null,
    ownOffer: record.own_offer,
    sheetNotes: record.sheet_notes,
    error: record.processing_error,
    // The first CardLadder price is shown without its sparkline.
    pricingThen: cardladder?.first ? { ...cardladder.first, sparkline: [] } : null,
    cardsiqThen: cardsiq?.first ?? null,
    prices: {
      cardladder: { state: cardladder?.state ?? null, message: cardladder?.message ?? "" },
      cardsiq: { state: cardsiq?.state ?? null, message: cardsiq?.message ?? "" },
    },
    warnings: record.warnings,
    mismatches: mismatchesOf(record),
    imageFlags: imageFlagsOf(record),
    reviewedAt: record.reviewed_at?.toISOString() ?? null,
    processedAt: record.processed_at?.toISOString() ?? null,
  };
}

function imageFlagsOf({ outcome, front_image_url, back_image_url, same_sides }: ShownRecord): ImageFlag[] {
  if (outcome !== "found") return [];
  const urls = [front_image_url, back_image_url].filter((url) => url !== null && url !== NOT_AVAILABLE);
  if (urls.length === 0) return ["no_image"];
  if (urls.length === 1) return ["one_side"];
  return same_sides || urls[0] === urls[1] ? ["same_sides"] : [];
}

function mismatchesOf(card: ShownRecord): string[] {
  if (card.sheet_card === null || card.outcome !== "found") return [];
  return differences(card.sheet_card, card.grading_company, {
    itemName: card.item_name,
    player: card.player_character,
    brand: card.brand_set,
    variety: card.variety,
    year: card.year,
    grade: card.grade,
  });
}

export function countOfCards(count: number): string {
  return count === 1 ? "1 card" : `${count} cards`;
}
