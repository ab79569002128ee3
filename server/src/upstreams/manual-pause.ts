import { SOURCE_TITLES } from "@slabdesk/contract/api/sources.ts";
import { SOURCE_OF, type LookupEndpoint } from "./endpoint.ts";

export function manualPauseMessage(endpoint: LookupEndpoint, { by, at }: { by: string; at: Date }): string {
  const [day, clock] = at.toISOString().split("T");
  return `${SOURCE_TITLES[SOURCE_OF[endpoint]]} was paused by ${by} on ${day} at ${clock?.slice(0, 5)} UTC`;
}
