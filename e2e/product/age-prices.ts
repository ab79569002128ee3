import { join } from "node:path";
import pg from "pg";
import type { Product } from "./product.ts";

/** A price serves for a day. */
const AGE = "25 hours";

/** Makes what the price sources said of these certificates too old to be used, as if it had been yesterday. */
export async function agePrices({ dataDir }: Product, certNumbers: readonly string[]): Promise<void> {
  const client = new pg.Client({ host: join(dataDir, "run"), user: "slabdesk", database: "slabdesk" });
  await client.connect();
  try {
    await client.query("UPDATE price_quotes SET fetched_at = fetched_at - $1::interval WHERE cert_number = ANY($2)", [
      AGE,
      certNumbers,
    ]);
  } finally {
    await client.end();
  }
}
