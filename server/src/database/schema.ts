import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from "kysely";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { CardSource, Mode } from "@slabdesk/contract/api/cards.ts";
import type { CardsiqPricing, OfferRule, PriceSourceName, PriceState, Pricing } from "@slabdesk/contract/api/prices.ts";
import type { RowStatus } from "@slabdesk/contract/api/results.ts";
import type { SessionStatus } from "@slabdesk/contract/api/sessions.ts";
import type { Role } from "@slabdesk/contract/api/people.ts";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";
import type { ActivityType } from "@slabdesk/contract/api/activity.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Sale } from "@slabdesk/contract/market/sale.ts";
import type { Delimiter } from "@slabdesk/contract/sheet/csv.ts";
import type { SheetCard } from "@slabdesk/contract/sheet/row.ts";

type Json<T extends object> = JSONColumnType<T>;
type Time = ColumnType<Date, Date | string, Date | string>;
type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>;

/** People. better-auth keeps its user here too, hence the columns that SPEC does not name. */
export type UserProfilesTable = {
  id: string;
  email: string;
  full_name: string;
  role: Generated<Role>;
  is_active: Generated<boolean>;
  total_scans: Generated<number>;
  total_cards_processed: Generated<number>;
  last_login: Time | null;
  created_at: DefaultTime;
  updated_at: DefaultTime;
  email_verified: Generated<boolean>;
  image: string | null;
  table_view: string | null;
  one_time_password: OneTimePassword | null;
  one_time_until: Time | null;
};
/** A password that an administrator gave: good for one sign-in until `one_time_until`, then to be changed. */
export type OneTimePassword = "given" | "used";

export type AuthSessionsTable = {
  id: string;
  user_id: string;
  token: string;
  expires_at: Time;
  ip_address: string | null;
  user_agent: string | null;
  created_at: DefaultTime;
  updated_at: DefaultTime;
};

/** How a person proves who they are; better-auth reads and checks it. */
export type AuthAccountsTable = {
  id: string;
  account_id: string;
  provider_id: string;
  user_id: string;
  password: string | null;
  created_at: DefaultTime;
  updated_at: DefaultTime;
};

/** What the server decided once and every node must share, like the secret that signs sessions. */
export type ServerSettingsTable = { name: string; value: string };

/**
 * One uploaded sheet and its run. `accept_companies` takes companies from the form of their numbers; `is_growing` once
 * rows came or went one by one; `prices_pending` and `prices_waiting` count prices of its rows in these states;
 * `event_seq` counts the changes that event streams tell of.
 */
export type ScanSessionsTable = {
  id: Generated<string>;
  user_id: string;
  session_name: string;
  csv_filename: string;
  header: Json<string[]>;
  delimiter: Generated<Delimiter>;
  total_cards: number;
  processed_cards: Generated<number>;
  processing_mode: Mode;
  include_pricing: boolean;
  reuse_known: boolean;
  accept_companies: Generated<boolean>;
  is_growing: Generated<boolean>;
  prices_pending: Generated<number>;
  prices_waiting: Generated<number>;
  offer_rule: JSONColumnType<OfferRule> | null;
  status: Generated<SessionStatus>;
  started_at: DefaultTime;
  completed_at: Time | null;
  upload_date: DefaultTime;
  event_seq: Generated<number>;
  idempotency_key: string | null;
  request_hash: string | null;
};

/**
 * One row of a sheet: what was typed, what became of it, the card. `sheet_card` is what the sheet itself says of the
 * card, null when nothing. `job_id` names the job that may settle it, `own_mode` is set when the row goes another way
 * than its session. `look_ups` are its attempts as they are shown; `same_sides`: front and back were seen to be one
 * picture; `reviewed_at`: somebody said that it needs no further look. `attempts` counts look-ups, `retries` those of PSA's retry queue; `claimed_at` is set while a worker holds the row.
 * For each price source: how its price stands and which job may settle it, the price of the newest quote, and the first
 * one (`then`) once there was a newer. `search_text` is what the search compares.
 */
export type ScanResultsTable = {
  id: GeneratedAlways<number>;
  session_id: string;
  user_id: string;
  line: number;
  cells: Json<string[]>;
  sheet_notes: string;
  sheet_card: JSONColumnType<SheetCard> | null;
  status: RowStatus;
  outcome: OutcomeCode | null;
  waiting_until: Time | null;
  source: CardSource | "known" | null;
  job_id: string | null;
  own_mode: Mode | null;
  retries: Generated<number>;
  attempts: Generated<number>;
  claimed_at: Time | null;
  event_seq: number;
  cert_number: string;
  grading_company: string;
  item_name: string | null;
  player_character: string | null;
  year: string | null;
  language: string | null;
  brand_set: string | null;
  card_number: string | null;
  grade: string | null;
  sport_game: string | null;
  variety: string | null;
  grader_notes: string | null;
  tag_score: string | null;
  front_image_url: string | null;
  back_image_url: string | null;
  cert_url: string | null;
  price: number | null;
  price_text: string;
  customer_price: string;
  inventory_name: string | null;
  notes: string;
  processing_error: string | null;
  warnings: Json<string[]>;
  look_ups: ColumnType<LookUp[], string | undefined, string>;
  same_sides: Generated<boolean>;
  reviewed_at: Time | null;
  cardladder_state: PriceState | null;
  cardladder_job: string | null;
  cardladder_message: string | null;
  cardladder_quote: number | null;
  cardladder_price: JSONColumnType<Pricing> | null;
  cardladder_first_quote: JSONColumnType<Pricing> | null;
  cardsiq_state: PriceState | null;
  cardsiq_job: string | null;
  cardsiq_message: string | null;
  cardsiq_quote: number | null;
  cardsiq_price: JSONColumnType<CardsiqPricing> | null;
  cardsiq_first_quote: JSONColumnType<CardsiqPricing> | null;
  processed_at: Time | null;
  created_at: DefaultTime;
  search_text: GeneratedAlways<string>;
};

/** Cards looked up before, by anyone: what a grader's register says is the same for everybody. */
export type CachedCertsTable = {
  grading_company: Company;
  cert_number: string;
  source: CardSource;
  card: Json<object>;
  notes: string;
  same_sides: Generated<boolean>;
  fetched_at: DefaultTime;
};

/** A person's own photo of a row's card; `replaced_url` is what it stands in place of, shown again when it is taken away. */
export type PhotosTable = {
  id: Generated<string>;
  result_id: number;
  bytes: Buffer;
  replaced_url: string | null;
  created_at: DefaultTime;
};

/** What a price source said of a card, each time it was asked. `price` is null when it had none; `sales` are all it listed. */
export type PriceQuotesTable = {
  id: GeneratedAlways<number>;
  source: PriceSourceName;
  grading_company: Company;
  cert_number: string;
  price: JSONColumnType<Pricing | CardsiqPricing> | null;
  sales: Json<Sale[]>;
  message: string;
  fetched_at: DefaultTime;
};

/** Prices that rows asked a source for at once, and how many of them need a call; the others are kept, or one of a duplicate. */
export type PriceAsksTable = { source: PriceSourceName; asked_at: DefaultTime; prices: number; called: number };

/**
 * Every call to an upstream: how it ended (`answered`, or `useless` when nothing could be made of the answer, with its HTTP
 * status; else why no answer came), how long it took, and for whom it was made.
 */
export type UpstreamCallsTable = {
  user_id: string | null;
  endpoint: string;
  called_at: Time;
  duration_ms: number;
  ending: string;
  status: number | null;
};

/** How many calls were noted of each day (UTC) and endpoint: kept by a trigger of `upstream_calls`, also when those are forgotten. */
export type UpstreamCallDaysTable = { day: string; endpoint: string; calls: number };

/**
 * Sums of settled rows by session, day (UTC), company ("" = none of ours), outcome, source ("" = none) and status. Kept by
 * triggers of `scan_results`, which add what each statement changed; `is_sum` marks what was summed up since.
 */
export type ScanFiguresTable = {
  session_id: string;
  day: string;
  grading_company: string;
  outcome: OutcomeCode | "";
  source: CardSource | "known" | "";
  status: RowStatus;
  cards: number;
  value: number;
  is_sum: Generated<boolean>;
};

/** When each lane may let its next card through, when that may call, and how long a card took lately; shared by all nodes. */
export type LanesTable = { name: string; next_at: DefaultTime; next_call_at: DefaultTime; card_ms: number | null };

/**
 * What is known of each endpoint: look-ups that failed in a row, pauses in a row, until when it is paused and why, the
 * look-up that decides whether it opens again (`probe_until`), and the calls of its running window of 24 hours. Held by
 * hand since `manually_paused_at` by the person `manually_paused_by`: nothing goes through until it is opened.
 */
export type EndpointsTable = {
  name: string;
  failures: Generated<number>;
  pauses: Generated<number>;
  paused_at: Time | null;
  paused_until: Time | null;
  manually_paused_at: Time | null;
  manually_paused_by: string | null;
  pause_code: PauseCode | null;
  pause_message: string | null;
  probe_until: Time | null;
  window_started_at: Time | null;
  used: Generated<number>;
  learned_limit: number | null;
  learned_at: Time | null;
};
/** What an endpoint can be paused for. */
export type PauseCode = Extract<OutcomeCode, "quota_exhausted" | "blocked" | "forbidden" | "unavailable" | "timeout">;

export type UserActivityLogsTable = {
  id: GeneratedAlways<number>;
  user_id: string;
  activity_type: ActivityType;
  description: string;
  metadata: Json<Record<string, unknown>>;
  timestamp: DefaultTime;
};

export type Schema = {
  user_profiles: UserProfilesTable;
  auth_sessions: AuthSessionsTable;
  auth_accounts: AuthAccountsTable;
  server_settings: ServerSettingsTable;
  scan_sessions: ScanSessionsTable;
  scan_results: ScanResultsTable;
  cached_certs: CachedCertsTable;
  photos: PhotosTable;
  price_quotes: PriceQuotesTable;
  price_asks: PriceAsksTable;
  scan_counters: ScanFiguresTable;
  upstream_calls: UpstreamCallsTable;
  upstream_call_days: UpstreamCallDaysTable;
  lanes: LanesTable;
  endpoints: EndpointsTable;
  user_activity_logs: UserActivityLogsTable;
};
