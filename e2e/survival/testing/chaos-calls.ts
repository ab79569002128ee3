import type { Call } from "@slabdesk/simulator/endpoints/call-log.ts";
import type { Fault } from "@slabdesk/simulator/endpoints/faults.ts";
import type { ChaosSheet } from "./chaos-sheet.ts";

/*
 * The calls that a run may make. The plan counts the calls of a lookup that succeeds at the first source. Every call
 * beyond it must follow one that failed, and an answered call is never repeated, so for each certificate
 *
 *     calls ≤ planned calls + calls that ended in a fault        (`listUnexplained`)
 *
 * whatever faults it met, in however many attempts: a failed call adds one to both sides; the same call in the next
 * attempt, or the one call of the page, follows it. TAG's photos are counted separately, because they follow only its
 * page: two for each answer of the page.
 *
 * A card gets another attempt only after some faults: a timeout (PSA's retry queue), a 429 (the card waits), or an
 * expired login (one retry with a new one). All other faults settle it. So each address is called
 *
 *     once for each sheet that holds the card + once for each such fault of the card      (`listAskedTooOften`)
 */

const ASKS_AGAIN: ReadonlySet<Fault> = new Set(["hang", "quota", "quota_brief", "quota_no_retry_after", "refused"]);

/** Calls about certificates, by certificate, without TAG's photos and CGC's logins. */
function byCert(calls: readonly Call[]): Map<string, Call[]> {
  return Map.groupBy(
    calls.filter((call) => call.endpoint !== "tag-images" && call.cert !== null),
    (call) => call.cert ?? "",
  );
}

/** The calls that a sheet plans for each certificate, without TAG's photos. */
export function plannedByCert(sheets: readonly ChaosSheet[]): Map<string, number> {
  const planned = new Map<string, number>();
  for (const { mode, lines } of sheets) {
    const certs = new Map(
      lines.filter((line) => line.truth !== "damaged").map((line) => [line.certNumber, line.company]),
    );
    for (const [cert, company] of certs) {
      const calls = company === "PSA" && mode !== "scraping" ? 2 : 1;
      planned.set(cert, (planned.get(cert) ?? 0) + calls);
    }
  }
  return planned;
}

/** Certificates with calls that neither the plan nor a fault explains. */
export function listUnexplained(calls: readonly Call[], planned: ReadonlyMap<string, number>): string[] {
  return [...byCert(calls)]
    .filter(([cert, made]) => made.filter((call) => call.fault === null).length > (planned.get(cert) ?? 0))
    .map(([cert, made]) => `${cert}: ${describe(made)}`);
}

/** Certificates with an address that was called again although no fault led to another attempt. */
export function listAskedTooOften(calls: readonly Call[], sheets: readonly ChaosSheet[]): string[] {
  return [...byCert(calls)]
    .filter(([cert, made]) => {
      const attempts =
        sheets.filter(({ lines }) => lines.some((line) => line.certNumber === cert)).length +
        made.filter((call) => call.fault !== null && ASKS_AGAIN.has(call.fault)).length;
      return [...Map.groupBy(made, (call) => call.path).values()].some((same) => same.length > attempts);
    })
    .map(([cert, made]) => `${cert}: ${describe(made)}`);
}

function describe(calls: readonly Call[]): string {
  return calls.map(({ endpoint, fault }) => `${endpoint} ${fault ?? "answered"}`).join(", ");
}
