import type { ColumnType, Generated, GeneratedAlways, JSONColumnType as Json } from "kysely";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { Mode, StoredSource } from "@slabdesk/contract/api/cards.ts";
import type { CardsiqPricing, OfferRule, PriceSourceName, PriceState, Pricing } from "@slabdesk/contract/api/prices.ts";
import type { Entry, RowStatus } from "@slabdesk/contract/api/results.ts";
import type { SourceName } from "@slabdesk/contract/api/sources.ts";
import type { SessionStatus } from "@slabdesk/contract/api/sessions.ts";
import type { Role } from "@slabdesk/contract/api/people.ts";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";
import type { ActivityType } from "@slabdesk/contract/api/activity.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Sale } from "@slabdesk/contract/market/money.ts";
import type { Delimiter } from "@slabdesk/contract/api/sheet-format.ts";
import type { SheetCard } from "@slabdesk/contract/sheet/row.ts";
import type { CardColumn } from "./card-columns.ts";

type Time = ColumnType<Date, Date | string, Date | string>;
type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>;

/** A password set by an administrator. It allows one sign-in until `one_time_until` and must then be changed. */
export type OneTimePassword = "given" | "used";
export type PauseCode = Extract<OutcomeCode, "quota_exhausted" | "blocked" | "forbidden" | "unavailable" | "timeout">;

/** A card entered by hand, the failure that it replaced, and the images before the row was looked up again. */
export type StoredEntry = Entry & {
  before?: { status: "error" | "failed"; outcome: OutcomeCode; error: string | null };
  front?: string;
  back?: string;
};

export type Schema = {
  /** People. better-auth stores its user in this table too, which explains some of the columns. */
  user_profiles: {
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
    /** A profile that is no user (features/users/auth-sessions.repo.ts). */
    is_service: Generated<boolean>;
    two_factor_enabled: Generated<boolean>;
  };
  auth_two_factors: {
    id: string;
    user_id: string;
    secret: string;
    backup_codes: string;
    verified: Generated<boolean>;
    failed_verification_count: Generated<number>;
    locked_until: Time | null;
  };
  auth_sessions: {
    id: string;
    user_id: string;
    token_hash: string;
    expires_at: Time;
    ip_address: string | null;
    user_agent: string | null;
    created_at: DefaultTime;
    updated_at: DefaultTime;
  };
  /** A person's sign-in credentials. better-auth reads and checks them. */
  auth_accounts: {
    id: string;
    account_id: string;
    provider_id: string;
    user_id: string;
    password: string | null;
    created_at: DefaultTime;
    updated_at: DefaultTime;
  };
  /** Values that the first start stores for all nodes: `upstreams` (demo or live) and the secret that signs sessions. */
  server_settings: { name: string; value: string };
  source_credentials: { source: SourceName; sealed: string; entered_by: string; entered_at: Time };
  /** `is_growing`: rows came or went one by one. `is_partial`: only retried rows of a stopped session run. */
  scan_sessions: {
    id: Generated<string>;
    user_id: string;
    session_name: string;
    csv_filename: string;
    header: Json<string[]>;
    delimiter: Generated<Delimiter>;
    sheet_fingerprint: string | null;
    total_cards: number;
    sheet_bytes: Generated<number>;
    processed_cards: Generated<number>;
    processing_mode: Mode;
    include_pricing: boolean;
    reuse_known: boolean;
    accept_companies: Generated<boolean>;
    is_growing: Generated<boolean>;
    is_partial: Generated<boolean>;
    prices_pending: Generated<number>;
    prices_waiting: Generated<number>;
    offer_rule: Json<OfferRule> | null;
    status: Generated<SessionStatus>;
    started_at: DefaultTime;
    requested_at: DefaultTime;
    completed_at: Time | null;
    upload_date: DefaultTime;
    event_seq: Generated<number>;
    indexed_seq: Generated<number>;
    idempotency_key: string | null;
    request_hash: string | null;
  };
  /**
   * One row of a sheet. `job_id`: the job that may settle it. `own_mode`: set if it differs from the session's.
   * `retries`: of PSA's queue. `claimed_at`: set while a worker holds it. `market_value`: dollars for counters, or 0.
   */
  scan_results: Record<CardColumn, string | null> & {
    id: GeneratedAlways<number>;
    session_id: string;
    user_id: string;
    line: number;
    cells: Json<string[]>;
    cells_size: GeneratedAlways<number>;
    sheet_notes: string;
    sheet_card: Json<SheetCard> | null;
    status: RowStatus;
    outcome: OutcomeCode | null;
    waiting_until: Time | null;
    source: StoredSource | "known" | null;
    job_id: string | null;
    own_mode: Mode | null;
    retries: Generated<number>;
    attempts: Generated<number>;
    claimed_at: Time | null;
    event_seq: number;
    cert_number: string;
    grading_company: string;
    price: number | null;
    price_text: string;
    customer_price: string;
    own_offer: number | null;
    notes: string;
    processing_error: string | null;
    population: number | null;
    population_higher: number | null;
    population_as_of: Time | null;
    warnings: Json<string[]>;
    look_ups: ColumnType<LookUp[], string | undefined, string>;
    entry: Json<StoredEntry> | null;
    same_sides: Generated<boolean>;
    reviewed_at: Time | null;
    market_value: Generated<number>;
    processed_at: Time | null;
    created_at: DefaultTime;
    search_text: GeneratedAlways<string>;
  };
  /** Rows of runs that need jobs, by company. More jobs are due if `middle_row_id` is no longer pending with a job. */
  job_backlogs: {
    session_id: string;
    grading_company: Company;
    rows_left: number;
    next_row_id: number;
    next_place: number;
    middle_row_id: number | null;
  };
  /** Cached certs from lookups by anyone. A grader's record is the same for everyone. `entry`: set if entered by hand. */
  cached_certs: {
    grading_company: Company;
    cert_number: string;
    source: StoredSource;
    entry: Json<Entry> | null;
    card: Json<object>;
    notes: string;
    same_sides: Generated<boolean>;
    images_due_at: Time | null;
    image_failures: Generated<number>;
    fetched_at: DefaultTime;
  };
  /** A person's own photo of a row's card. Removing it restores `replaced_url`, the image it replaces. */
  photos: {
    id: Generated<string>;
    result_id: number;
    bytes: Buffer;
    replaced_url: string | null;
    created_at: DefaultTime;
  };
  /** A requested price. `first_quote_id`: its first quote, once there is a newer one. `job_id` may settle it. */
  result_prices: {
    result_id: number;
    source: PriceSourceName;
    state: PriceState;
    job_id: string | null;
    quote_id: number | null;
    first_quote_id: number | null;
    message: Generated<string>;
  };
  /** Quotes. `price` is null if the source had none. */
  price_quotes: {
    id: GeneratedAlways<number>;
    source: PriceSourceName;
    grading_company: Company;
    cert_number: string;
    price: Json<Pricing | CardsiqPricing> | null;
    estimate: GeneratedAlways<number | null>;
    sales: Json<Sale[]>;
    message: string;
    fetched_at: DefaultTime;
  };
  /** How many prices rows requested from a source at once. `called` needed a call; others were cached or duplicates. */
  price_requests: { source: PriceSourceName; requested_at: DefaultTime; prices: number; called: number };
  /** `ending`: `answered` or `useless` (the answer could not be used), with the status; else why no answer came. */
  upstream_calls: {
    user_id: string | null;
    endpoint: string;
    called_at: Time;
    duration_ms: number;
    ending: string;
    status: number | null;
  };
  /** Calls per day (UTC) and endpoint. A trigger of `upstream_calls` maintains them; they outlive the deleted calls. */
  upstream_call_days: { day: string; endpoint: string; calls: number };
  /** Sums of settled rows; "" means none. Triggers of `scan_results` append changes. `is_sum` marks rollups. */
  /** The searched texts of a session's rows whose ids / CHUNK_ROWS are `chunk`. */
  search_chunks: { session_id: string; user_id: string; chunk: number; ids: number[]; text: string };
  scan_counters: {
    session_id: string;
    day: string;
    grading_company: string;
    outcome: OutcomeCode | "";
    source: StoredSource | "known" | "";
    status: RowStatus;
    cards: number;
    value: number;
    is_sum: Generated<boolean>;
  };
  /** When each lane may start its next card, when that card may call, and a card's average time. Shared by all nodes. */
  /** `place`: the highest place of a started lookup. New runs begin there. */
  lanes: {
    name: string;
    next_at: DefaultTime;
    next_call_at: DefaultTime;
    card_ms: number | null;
    place: Generated<number>;
  };
  /**
   * `failures` and `pauses` are in a row. `failed_cards`: the cards of the counted outages. `probe_until`: the lease of
   * the probe. `used`: calls in the window.
   */
  endpoints: {
    name: string;
    failures: Generated<number>;
    failed_cards: Generated<string[]>;
    pauses: Generated<number>;
    paused_at: Time | null;
    paused_until: Time | null;
    manually_paused_at: Time | null;
    manually_paused_by: string | null;
    pause_code: PauseCode | null;
    pause_message: string | null;
    probe_until: Time | null;
    walled_at: Time | null;
    window_started_at: Time | null;
    used: Generated<number>;
    learned_limit: number | null;
    learned_at: Time | null;
  };
  user_activity_logs: {
    id: GeneratedAlways<number>;
    user_id: string;
    activity_type: ActivityType;
    description: string;
    metadata: Json<Record<string, unknown>>;
    timestamp: DefaultTime;
  };
};
