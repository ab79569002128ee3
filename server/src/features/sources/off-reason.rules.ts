import { SOURCE_TITLES, type SourceName } from "@slabdesk/contract/api/sources.ts";
import type { LookupEndpoint } from "../../upstreams/endpoint.ts";

/** The configuration: which APIs and price sources have credentials, and whether pages are read. */
export type SetUp = { isOn: Record<SourceName, boolean>; scraping: "on" | "off" };

/** The environment variables that configure each upstream. */
const SETTINGS: Record<SourceName, string> = {
  psa: "PSA_API_TOKEN",
  cgc: "CGC_API_USERNAME and CGC_API_PASSWORD",
  tag: "TAG_API_KEY",
  cardladder: "CARDLADDER_WEB_KEY, CARDLADDER_EMAIL and CARDLADDER_PASSWORD",
  cardsiq: "CARDSIQ_API_URL and CARDSIQ_API_KEY",
};
/** The message for administrators names the setting. Staff see a different message, `SCRAPING_OFF`. */
const PAGES_UNREAD = "Web scraping is turned off (SCRAPING=off)";

export function notSetUpMessage(source: SourceName): string {
  return `${SOURCE_TITLES[source]}'s API is not set up: enter its credentials here, or set ${SETTINGS[source]}`;
}

/** Returns why an endpoint is never called. Null if it is in use. */
export function offReason(source: SourceName, endpoint: LookupEndpoint, { isOn, scraping }: SetUp): string | null {
  if (endpoint.endsWith("-page")) return scraping === "off" ? PAGES_UNREAD : null;
  return isOn[source] ? null : notSetUpMessage(source);
}
