-- Slabdesk's tables. pg-boss makes its own in the schema "pgboss".
-- The lists of the CHECK constraints are those of the code; schema.test.ts compares them.

-- Search by part of a row's text (docs/decisions/0048).
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;


-- People and sign-in. The auth_* tables and their columns are better-auth's, wrong_passwords is rate-limiter-flexible's.

CREATE TABLE user_profiles (
  id text PRIMARY KEY,
  email text NOT NULL UNIQUE,
  full_name text NOT NULL,
  role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
  is_active boolean NOT NULL DEFAULT true,
  total_scans integer NOT NULL DEFAULT 0,
  total_cards_processed integer NOT NULL DEFAULT 0,
  last_login timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  table_view text,
  one_time_password text CHECK (one_time_password IN ('given', 'used')),
  one_time_until timestamptz,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  is_service boolean NOT NULL DEFAULT false
);

-- Not users (features/users/auth-sessions.repo.ts). Their emails can't be valid.
INSERT INTO user_profiles (id, email, full_name, role, is_active, is_service) VALUES
  ('backend-service', 'backend', 'Backend service', 'admin', true, true),
  ('unknown-account', 'unknown', 'Unknown account', 'user', false, true);

CREATE FUNCTION note_profile_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at = now();
  RETURN NEW;
END $$;
CREATE TRIGGER note_profile_update BEFORE UPDATE ON user_profiles
  FOR EACH ROW EXECUTE FUNCTION note_profile_update();

CREATE TABLE auth_sessions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES user_profiles (id) ON DELETE CASCADE,
  token_hash text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX auth_sessions_user_id ON auth_sessions (user_id);

CREATE TABLE auth_accounts (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  user_id text NOT NULL REFERENCES user_profiles (id) ON DELETE CASCADE,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX auth_accounts_user_id ON auth_accounts (user_id);

CREATE TABLE auth_verifications (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- The secret and the recovery codes are encrypted with the auth_secret of server_settings.
CREATE TABLE auth_two_factors (
  id text PRIMARY KEY,
  user_id text NOT NULL UNIQUE REFERENCES user_profiles (id) ON DELETE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT false,
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz
);

CREATE TABLE wrong_passwords (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

CREATE TABLE server_settings (name text PRIMARY KEY, value text NOT NULL);

-- Encrypted (docs/decisions/0064).
CREATE TABLE source_credentials (
  source text PRIMARY KEY CHECK (source IN ('psa', 'cgc', 'tag', 'cardladder', 'cardsiq')),
  sealed text NOT NULL,
  entered_by text NOT NULL, -- a name to show, not an id
  entered_at timestamptz NOT NULL
);


-- The activity log is append-only (docs/decisions/0055). Any page of it is read from an index in display order.

CREATE TABLE user_activity_logs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text NOT NULL REFERENCES user_profiles (id),
  activity_type text NOT NULL,
  description text NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  timestamp timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX user_activity_logs_timestamp ON user_activity_logs (timestamp, id);
CREATE INDEX user_activity_logs_person ON user_activity_logs (user_id, timestamp, id);
CREATE INDEX user_activity_logs_type ON user_activity_logs (activity_type, timestamp, id);
CREATE INDEX user_activity_logs_person_type ON user_activity_logs (user_id, activity_type, timestamp, id);

REVOKE UPDATE, DELETE, TRUNCATE ON user_activity_logs FROM PUBLIC, CURRENT_USER;

-- Revoked privileges don't apply to a superuser. The trigger does, even where session_replication_role disables others.
CREATE FUNCTION refuse_change_of_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The activity log only grows: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER refuse_change_of_activity BEFORE UPDATE OR DELETE OR TRUNCATE ON user_activity_logs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_activity();
ALTER TABLE user_activity_logs ENABLE ALWAYS TRIGGER refuse_change_of_activity;


-- Scan sessions.

CREATE TABLE scan_sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id text NOT NULL REFERENCES user_profiles (id) ON DELETE CASCADE,
  session_name text NOT NULL,
  csv_filename text NOT NULL,
  header jsonb NOT NULL,
  delimiter text NOT NULL DEFAULT ',' CHECK (delimiter IN (',', ';', E'\t', '|')),
  total_cards integer NOT NULL,
  -- Finds the earlier sessions of the same sheet.
  sheet_fingerprint text,
  -- About the size of the uploaded header and rows, for the quota per person.
  sheet_bytes bigint NOT NULL DEFAULT 0,
  processed_cards integer NOT NULL DEFAULT 0,
  processing_mode text NOT NULL CHECK (processing_mode IN ('api-with-fallback', 'api', 'scraping')),
  include_pricing boolean NOT NULL,
  reuse_known boolean NOT NULL,
  accept_companies boolean NOT NULL DEFAULT false,
  is_growing boolean NOT NULL DEFAULT false,
  -- Only retried rows run; the pending rows without a job are left by a stop.
  is_partial boolean NOT NULL DEFAULT false,
  prices_pending integer NOT NULL DEFAULT 0,
  prices_waiting integer NOT NULL DEFAULT 0,
  offer_rule jsonb,
  status text NOT NULL DEFAULT 'processing' CHECK (status IN ('processing', 'completed', 'failed')),
  started_at timestamptz NOT NULL DEFAULT now(),
  requested_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  upload_date timestamptz NOT NULL DEFAULT now(),
  event_seq bigint NOT NULL DEFAULT 0,
  -- The texts of rows changed after this event may be missing in search_chunks.
  indexed_seq bigint NOT NULL DEFAULT 0,
  idempotency_key text,
  request_hash text,
  UNIQUE (user_id, idempotency_key),
  UNIQUE (id, user_id)
);
CREATE INDEX scan_sessions_user ON scan_sessions (user_id, started_at DESC);
CREATE INDEX scan_sessions_running ON scan_sessions (id) WHERE status = 'processing';


-- The rows of a session: what was typed, the result of the lookup, the card.

CREATE TABLE scan_results (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id uuid NOT NULL,
  user_id text NOT NULL,
  line integer NOT NULL,
  cells jsonb NOT NULL,
  -- Stored, because the size of jsonb as text is known only after reading and formatting all of it.
  cells_size integer NOT NULL GENERATED ALWAYS AS (octet_length(cells::text)) STORED,
  sheet_notes text NOT NULL,
  sheet_card jsonb,
  status text NOT NULL CHECK (
    status IN ('pending', 'processing', 'completed', 'error', 'queued', 'completed_retry', 'failed', 'waiting')),
  outcome text CHECK (
    outcome IN ('found', 'not_found', 'invalid_row', 'invalid_number', 'blocked', 'quota_exhausted', 'timeout',
      'unavailable', 'not_configured', 'forbidden')),
  waiting_until timestamptz,
  source text CHECK (source IN ('api', 'page', 'hand', 'known')),
  job_id uuid,
  own_mode text CHECK (own_mode IN ('api-with-fallback', 'api', 'scraping')),
  retries integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  claimed_at timestamptz,
  event_seq bigint NOT NULL,
  cert_number text NOT NULL,
  grading_company text NOT NULL,
  item_name text,
  player_character text,
  year text,
  language text,
  brand_set text,
  card_number text,
  grade text,
  sport_game text,
  variety text,
  grader_notes text,
  tag_score text,
  population integer,
  population_higher integer,
  population_as_of timestamptz,
  front_image_url text,
  back_image_url text,
  cert_url text,
  price numeric,
  price_text text NOT NULL,
  customer_price text NOT NULL,
  -- Dollars; replaces the offer of the session's rule.
  own_offer numeric CHECK (own_offer >= 0),
  inventory_name text,
  notes text NOT NULL,
  processing_error text,
  warnings jsonb NOT NULL DEFAULT '[]',
  look_ups jsonb NOT NULL DEFAULT '[]',
  entry jsonb,
  same_sides boolean NOT NULL DEFAULT false,
  reviewed_at timestamptz,
  -- The first estimate of its prices, else 0; kept by a trigger of result_prices for the counters.
  market_value numeric NOT NULL DEFAULT 0,
  processed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The separator is FIELD_SEPARATOR of contract/src/api/search.ts. An index entry may have 2,704 bytes; 640 four-byte
  -- letters and an id always fit. Search doesn't find text beyond that.
  search_text text NOT NULL GENERATED ALWAYS AS (
    left(lower(
      cert_number || chr(31) || grading_company || chr(31) || coalesce(player_character, '') || chr(31) ||
      coalesce(brand_set, '') || chr(31) || coalesce(item_name, '')
    ), 640)) STORED,
  -- One check for both: the session exists, and its owner owns the row.
  FOREIGN KEY (session_id, user_id) REFERENCES scan_sessions (id, user_id) ON DELETE CASCADE
) WITH (fillfactor = 85); -- leaves room on each page for HOT updates
CREATE INDEX scan_results_session ON scan_results (session_id, id);
-- Tells an export whether a session has own offers.
CREATE INDEX scan_results_own_offers ON scan_results (session_id) WHERE own_offer IS NOT NULL;
-- Finds the rows changed after an event. As a BRIN index, it lets updates of event_seq stay HOT (docs/decisions/0056).
CREATE INDEX scan_results_events ON scan_results USING brin (session_id uuid_bloom_ops, event_seq)
  WITH (pages_per_range = 32, autosummarize = on);
-- Lets every progress event count a session's rows by state with an index-only scan, and finds those that failed.
CREATE INDEX scan_results_session_states ON scan_results (session_id, status, outcome)
  WHERE status IN ('processing', 'queued', 'waiting', 'error', 'failed');
-- Finds the rows of a cert that need a job, and counts open cards with an index-only scan.
CREATE INDEX scan_results_open ON scan_results (session_id, grading_company, cert_number) INCLUDE (own_mode)
  WHERE status IN ('pending', 'processing', 'queued', 'waiting');
CREATE INDEX scan_results_job ON scan_results (job_id) WHERE job_id IS NOT NULL;
-- Counts waiting rows per company with an index-only scan: 50,000 rows in a sixth of the time.
CREATE INDEX scan_results_waiting ON scan_results (waiting_until) INCLUDE (grading_company) WHERE status = 'waiting';
-- Finds a card's earlier lookups. A number or company as typed can exceed the size of an index entry.
CREATE INDEX scan_results_cert ON scan_results (grading_company, cert_number, id)
  WHERE length(grading_company) <= 100 AND length(cert_number) <= 100;
-- Search scans a user's newest rows in this index, and older ones in search_chunks.
CREATE INDEX scan_results_user ON scan_results (user_id, id) INCLUDE (search_text);

-- The texts of up to 16 rows each, for the search. A worker writes them later, because trigrams take as long as storing
-- the rows (docs/decisions/0048).
CREATE TABLE search_chunks (
  session_id uuid NOT NULL,
  user_id text NOT NULL,
  -- The id of each of its rows / CHUNK_ROWS of search.repo.ts.
  chunk bigint NOT NULL,
  ids bigint[] NOT NULL,
  -- The search_text of these rows, with ROW_SEPARATOR of contract/src/api/search.ts between them.
  text text NOT NULL,
  PRIMARY KEY (session_id, chunk),
  FOREIGN KEY (session_id, user_id) REFERENCES scan_sessions (id, user_id) ON DELETE CASCADE
);
CREATE INDEX search_chunks_text ON search_chunks USING gin (user_id, text gin_trgm_ops);

-- The rows of each run and company that have no job yet. Jobs are created in portions (docs/decisions/0078).
CREATE TABLE job_backlogs (
  session_id uuid NOT NULL REFERENCES scan_sessions (id) ON DELETE CASCADE,
  grading_company text NOT NULL CHECK (grading_company IN ('PSA', 'CGC', 'TAG')),
  -- An estimate for forecasts.
  rows_left integer NOT NULL,
  -- The first row that may need a job.
  next_row_id bigint NOT NULL,
  -- The place of the next job.
  next_place integer NOT NULL,
  -- A row in the middle of the newest portion. When it is no longer pending with a job, the next portion is due.
  middle_row_id bigint,
  PRIMARY KEY (session_id, grading_company)
);

CREATE TABLE photos (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  result_id bigint NOT NULL REFERENCES scan_results (id) ON DELETE CASCADE,
  bytes bytea NOT NULL,
  replaced_url text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX photos_result ON photos (result_id);


-- Counters of settled rows. Each statement appends what it changed, so that no statement waits for another one's
-- counter. A rollup adds these up later; readers always sum (docs/decisions/0052).

CREATE TABLE scan_counters (
  -- No foreign key: if a deletion cascades from the session to its rows, their trigger appends counters after it.
  session_id uuid NOT NULL,
  day date NOT NULL,
  grading_company text NOT NULL CHECK (grading_company IN ('', 'PSA', 'CGC', 'TAG')),
  outcome text NOT NULL CHECK (
    outcome IN ('', 'found', 'not_found', 'invalid_row', 'invalid_number', 'blocked', 'quota_exhausted', 'timeout',
      'unavailable', 'not_configured', 'forbidden')),
  source text NOT NULL CHECK (source IN ('', 'api', 'page', 'hand', 'known')),
  status text NOT NULL CHECK (status IN ('completed', 'error', 'completed_retry', 'failed')),
  cards integer NOT NULL,
  value numeric NOT NULL,
  is_sum boolean NOT NULL DEFAULT false
);
CREATE INDEX scan_counters_session ON scan_counters (session_id);
CREATE INDEX scan_counters_day ON scan_counters (day);
CREATE INDEX scan_counters_added ON scan_counters (session_id) WHERE NOT is_sum;

CREATE FUNCTION count_results_after_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO scan_counters (session_id, day, grading_company, outcome, source, status, cards, value)
  SELECT session_id, day, company, outcome, source, status, sum(cards), sum(cards * value)
  FROM (
    SELECT session_id, (COALESCE(processed_at, created_at) AT TIME ZONE 'UTC')::date AS day,
      CASE WHEN grading_company IN ('PSA', 'CGC', 'TAG') THEN grading_company ELSE '' END AS company,
      COALESCE(outcome, '') AS outcome, COALESCE(source, '') AS source, status,
      market_value AS value, cards
    FROM (SELECT *, 1 AS cards FROM new_rows) AS r
    WHERE status IN ('completed', 'completed_retry', 'error', 'failed')
  ) AS changed
  GROUP BY session_id, day, company, outcome, source, status
  HAVING sum(cards) <> 0 OR sum(cards * value) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER count_results_after_insert AFTER INSERT ON scan_results
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_results_after_insert();

CREATE FUNCTION count_results_after_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO scan_counters (session_id, day, grading_company, outcome, source, status, cards, value)
  SELECT session_id, day, company, outcome, source, status, sum(cards), sum(cards * value)
  FROM (
    SELECT session_id, (COALESCE(processed_at, created_at) AT TIME ZONE 'UTC')::date AS day,
      CASE WHEN grading_company IN ('PSA', 'CGC', 'TAG') THEN grading_company ELSE '' END AS company,
      COALESCE(outcome, '') AS outcome, COALESCE(source, '') AS source, status,
      market_value AS value, cards
    FROM (SELECT *, 1 AS cards FROM new_rows UNION ALL SELECT *, -1 FROM old_rows) AS r
    WHERE status IN ('completed', 'completed_retry', 'error', 'failed')
  ) AS changed
  GROUP BY session_id, day, company, outcome, source, status
  HAVING sum(cards) <> 0 OR sum(cards * value) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER count_results_after_update AFTER UPDATE ON scan_results
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_results_after_update();

CREATE FUNCTION count_results_after_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO scan_counters (session_id, day, grading_company, outcome, source, status, cards, value)
  SELECT session_id, day, company, outcome, source, status, sum(cards), sum(cards * value)
  FROM (
    SELECT session_id, (COALESCE(processed_at, created_at) AT TIME ZONE 'UTC')::date AS day,
      CASE WHEN grading_company IN ('PSA', 'CGC', 'TAG') THEN grading_company ELSE '' END AS company,
      COALESCE(outcome, '') AS outcome, COALESCE(source, '') AS source, status,
      market_value AS value, cards
    FROM (SELECT *, -1 AS cards FROM old_rows) AS r
    WHERE status IN ('completed', 'completed_retry', 'error', 'failed')
  ) AS changed
  GROUP BY session_id, day, company, outcome, source, status
  HAVING sum(cards) <> 0 OR sum(cards * value) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER count_results_after_delete AFTER DELETE ON scan_results
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_results_after_delete();


-- Cached certs, price quotes, the prices of rows, and how many prices rows requested.

CREATE TABLE cached_certs (
  grading_company text NOT NULL CHECK (grading_company IN ('PSA', 'CGC', 'TAG')),
  cert_number text NOT NULL,
  source text NOT NULL CHECK (source IN ('api', 'page', 'hand')),
  entry jsonb,
  card jsonb NOT NULL,
  notes text NOT NULL,
  same_sides boolean NOT NULL DEFAULT false,
  -- Set while images are missing and are fetched later.
  images_due_at timestamptz,
  image_failures integer NOT NULL DEFAULT 0,
  fetched_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (grading_company, cert_number)
);
CREATE INDEX cached_certs_images ON cached_certs (images_due_at) WHERE images_due_at IS NOT NULL;
-- The price endpoint looks up a card by its name. A name can exceed the size of an index entry; its hash can't.
CREATE INDEX cached_certs_name ON cached_certs (grading_company, md5(lower(card->>'itemName')), fetched_at DESC);

-- A source's answers. `estimate` is its estimate in dollars. Quotes are kept.
CREATE TABLE price_quotes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text NOT NULL CHECK (source IN ('cardladder', 'cardsiq')),
  grading_company text NOT NULL CHECK (grading_company IN ('PSA', 'CGC', 'TAG')),
  cert_number text NOT NULL,
  price jsonb,
  estimate numeric GENERATED ALWAYS AS (
    COALESCE(price->>'cardladderEstimate', price->>'estimatedValue')::numeric) STORED,
  sales jsonb NOT NULL DEFAULT '[]',
  message text NOT NULL,
  fetched_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX price_quotes_newest ON price_quotes (source, grading_company, cert_number, fetched_at DESC);

-- The price of a row at each source that it was requested from: its state, the job that can settle it, the newest quote
-- with a price, and the first such quote once there is a newer one.
CREATE TABLE result_prices (
  result_id bigint NOT NULL REFERENCES scan_results (id) ON DELETE CASCADE,
  source text NOT NULL CHECK (source IN ('cardladder', 'cardsiq')),
  state text NOT NULL CHECK (state IN ('pending', 'waiting', 'priced', 'none', 'failed')),
  job_id uuid,
  quote_id bigint REFERENCES price_quotes (id),
  first_quote_id bigint REFERENCES price_quotes (id),
  message text NOT NULL DEFAULT '',
  PRIMARY KEY (result_id, source),
  CONSTRAINT result_prices_open_has_job CHECK ((job_id IS NOT NULL) = (state IN ('pending', 'waiting'))),
  CONSTRAINT result_prices_priced_has_quote CHECK (state <> 'priced' OR quote_id IS NOT NULL)
);
CREATE INDEX result_prices_job ON result_prices (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX result_prices_open ON result_prices (source, state) WHERE state IN ('pending', 'waiting');

-- Keeps the market value of the rows: the estimate of the first source that has one.
CREATE FUNCTION value_results() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE scan_results AS r SET market_value = priced.value
  FROM (
    SELECT p.result_id, COALESCE((array_agg(q.estimate ORDER BY p.source) FILTER (WHERE q.estimate IS NOT NULL))[1], 0)
      AS value
    FROM result_prices AS p LEFT JOIN price_quotes AS q ON q.id = p.quote_id
    WHERE p.result_id IN (SELECT result_id FROM changed) GROUP BY p.result_id
  ) AS priced
  WHERE r.id = priced.result_id AND r.market_value <> priced.value;
  RETURN NULL;
END $$;
CREATE TRIGGER value_results_after_insert AFTER INSERT ON result_prices
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION value_results();
CREATE TRIGGER value_results_after_update AFTER UPDATE ON result_prices
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION value_results();

CREATE TABLE price_requests (
  source text NOT NULL CHECK (source IN ('cardladder', 'cardsiq')),
  requested_at timestamptz NOT NULL DEFAULT now(),
  prices integer NOT NULL,
  called integer NOT NULL
);
CREATE INDEX price_requests_time ON price_requests (requested_at);


-- The pace of the lanes, the states of the endpoints and the calls to them, shared by all nodes.

CREATE TABLE lanes (
  name text PRIMARY KEY CHECK (name IN ('psa', 'cgc', 'tag', 'cardladder', 'cardsiq')),
  next_at timestamptz NOT NULL DEFAULT now(),
  next_call_at timestamptz NOT NULL DEFAULT now(),
  card_ms integer,
  -- The place after the highest one of a started lookup or price request. New runs begin here, so that they don't delay runs that are further along.
  place integer NOT NULL DEFAULT 0
);
INSERT INTO lanes (name) VALUES ('psa'), ('cgc'), ('tag'), ('cardladder'), ('cardsiq');

CREATE TABLE endpoints (
  name text PRIMARY KEY CHECK (
    name IN ('psa-api', 'psa-page', 'cgc-api', 'cgc-page', 'tag-api', 'tag-page', 'cardladder', 'cardsiq')),
  failures integer NOT NULL DEFAULT 0,
  failed_cards text[] NOT NULL DEFAULT '{}',
  pauses integer NOT NULL DEFAULT 0,
  paused_at timestamptz,
  paused_until timestamptz,
  manually_paused_at timestamptz,
  manually_paused_by text,
  pause_code text CHECK (pause_code IN ('quota_exhausted', 'blocked', 'forbidden', 'unavailable', 'timeout')),
  pause_message text,
  probe_until timestamptz,
  walled_at timestamptz,
  window_started_at timestamptz,
  used integer NOT NULL DEFAULT 0,
  learned_limit integer,
  learned_at timestamptz
);
INSERT INTO endpoints (name)
  VALUES ('psa-api'), ('psa-page'), ('cgc-api'), ('cgc-page'), ('tag-api'), ('tag-page'), ('cardladder'), ('cardsiq');

CREATE TABLE upstream_calls (
  -- No foreign key: calls are logged in batches afterwards, and a user who is gone must not cost the batch.
  user_id text,
  endpoint text NOT NULL CHECK (
    endpoint IN ('psa-api', 'psa-page', 'cgc-api', 'cgc-page', 'tag-api', 'tag-page', 'tag-images',
      'cardladder-sign-in', 'cardladder', 'cardsiq')),
  called_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  ending text NOT NULL CHECK (
    ending IN ('answered', 'useless', 'timed_out', 'too_large', 'redirected', 'network_error')
  ),
  status integer
);
CREATE INDEX upstream_calls_time ON upstream_calls (called_at);

-- Calls per day, because counting a million calls takes too long for a request.
CREATE TABLE upstream_call_days (
  day date NOT NULL,
  endpoint text NOT NULL,
  calls integer NOT NULL,
  PRIMARY KEY (day, endpoint)
);

-- A fixed order prevents deadlocks between two nodes that log calls at the same time.
CREATE FUNCTION count_calls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO upstream_call_days AS counted (day, endpoint, calls)
  SELECT (called_at AT TIME ZONE 'UTC')::date, endpoint, count(*) FROM new_calls GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (day, endpoint) DO UPDATE SET calls = counted.calls + EXCLUDED.calls;
  RETURN NULL;
END $$;
CREATE TRIGGER count_calls AFTER INSERT ON upstream_calls
  REFERENCING NEW TABLE AS new_calls FOR EACH STATEMENT EXECUTE FUNCTION count_calls();
