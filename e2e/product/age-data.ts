import { join } from "node:path";
import pg from "pg";
import type { Product } from "./product.ts";

/** A price is reused for a day, and PSA counts calls per day. */
const AGE = "25 hours";

/** Ages the prices of these certs by a day, so that they are fetched again. */
export async function agePrices(product: Product, certNumbers: readonly string[]): Promise<void> {
  await change(product, "UPDATE price_quotes SET fetched_at = fetched_at - $1::interval WHERE cert_number = ANY($2)", [
    AGE,
    certNumbers,
  ]);
}

/**
 * Moves all calls to PSA's API into yesterday's quota window. Cards without images get none, so the new one is full.
 */
export async function agePsaCalls(product: Product): Promise<void> {
  await change(product, "UPDATE cached_certs SET images_due_at = NULL", []);
  await change(product, "UPDATE endpoints SET window_started_at = window_started_at - $1::interval", [AGE]);
}

/** Ends the pauses of all endpoints and the waits of their rows, so that the probes are due. */
export async function agePauses(product: Product): Promise<void> {
  await change(product, "UPDATE endpoints SET paused_until = now() WHERE paused_until IS NOT NULL", []);
  await change(product, "UPDATE scan_results SET waiting_until = now() WHERE waiting_until IS NOT NULL", []);
}

/** Forgets which companies CardLadder accepted or refused. */
export async function forgetRefusals(product: Product): Promise<void> {
  await change(product, "DELETE FROM server_settings WHERE name LIKE 'cardladder%'", []);
}

/** Deletes the call durations, because an earlier journey may have delayed its calls. */
export async function forgetPace(product: Product): Promise<void> {
  await change(product, "UPDATE lanes SET card_ms = NULL", []);
}

async function change({ dataDir }: Product, statement: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ host: join(dataDir, "run"), user: "slabdesk", database: "slabdesk" });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}
