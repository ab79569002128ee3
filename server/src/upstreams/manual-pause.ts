import { SOURCE_TITLES } from "@slabdesk/contract/api/sources.ts";
import { formatUtcMoment } from "@slabdesk/contract/certs/dates.ts";
import { SOURCE_OF, type LookupEndpoint } from "./endpoint.ts";

export function manualPauseMessage(endpoint: LookupEndpoint, { by, at }: { by: string; at: Date }): string {
  return `${SOURCE_TITLES[SOURCE_OF[endpoint]]} was paused by ${by} on ${formatUtcMoment(at.getTime())} UTC`;
}
