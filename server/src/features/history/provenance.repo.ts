import { sql } from "kysely";
import { PRICE_SERVES_HOURS, type PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { QuoteThen } from "@slabdesk/contract/api/provenance.ts";
import type { Database } from "../../database/connection.ts";
import type { RowRecord } from "../sessions/sessions.present.ts";

const MOST_A_SOURCE = 20;

/**
 * Lists these sources' quotes for a row's card, oldest first. Starts a day before the row was created, because a quote
 * of the last day can fill it. If a source has more than `MOST_A_SOURCE` quotes, returns the first one and the newest
 * ones.
 */
export async function listQuotes(
  db: Database,
  row: Pick<RowRecord, "grading_company" | "cert_number" | "created_at">,
  sources: readonly PriceSourceName[],
): Promise<QuoteThen[]> {
  const { rows } = await sql<QuoteThen>`
    SELECT source, to_char(fetched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "fetchedAt", estimate,
      (price->>'lastSalePrice')::numeric AS "lastSalePrice", message
    FROM (
      SELECT *, row_number() OVER quotes AS place, count(*) OVER (PARTITION BY source) AS count
      FROM price_quotes
      WHERE grading_company = ${row.grading_company} AND cert_number = ${row.cert_number}
        AND source = ANY(${sources})
        AND fetched_at >= ${row.created_at}::timestamptz - make_interval(hours => ${PRICE_SERVES_HOURS})
      WINDOW quotes AS (PARTITION BY source ORDER BY fetched_at, id)
    ) AS quoted
    WHERE place = 1 OR place > count - ${MOST_A_SOURCE - 1} ORDER BY quoted.fetched_at, id`.execute(db);
  return rows;
}
