import { sql, type Kysely } from "kysely";

/** People, their auth sessions and their activity. The four auth tables have the columns that better-auth requires. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
      image text
    )`.execute(db);
  await sql`
    CREATE TABLE auth_sessions (
      id text PRIMARY KEY,
      user_id text NOT NULL REFERENCES user_profiles (id) ON DELETE CASCADE,
      token text NOT NULL UNIQUE,
      expires_at timestamptz NOT NULL,
      ip_address text,
      user_agent text,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX auth_sessions_user_id ON auth_sessions (user_id)`.execute(db);
  await sql`
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
    )`.execute(db);
  await sql`CREATE INDEX auth_accounts_user_id ON auth_accounts (user_id)`.execute(db);
  await sql`
    CREATE TABLE auth_verifications (
      id text PRIMARY KEY,
      identifier text NOT NULL,
      value text NOT NULL,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE TABLE user_activity_logs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id text NOT NULL REFERENCES user_profiles (id) ON DELETE CASCADE,
      activity_type text NOT NULL,
      description text NOT NULL,
      metadata jsonb NOT NULL DEFAULT '{}',
      timestamp timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX user_activity_logs_timestamp ON user_activity_logs (timestamp DESC)`.execute(db);
}
