import type { SourceName } from "@slabdesk/contract/api/sources.ts";
import { SOURCE_TITLES } from "@slabdesk/contract/api/sources.ts";
import type { LookupEndpoint } from "../../lanes/endpoint.ts";

/** What is set up here: the companies' APIs and the price sources that have their credentials, and whether pages are read. */
export type SetUp = { isOn: Record<SourceName, boolean>; scraping: "on" | "off" };

/** What an administrator sets for each upstream, as the environment names it. */
const SETTINGS: Record<SourceName, string> = {
  psa: "PSA_API_TOKEN",
  cgc: "CGC_API_USERNAME and CGC_API_PASSWORD",
  tag: "TAG_API_KEY",
  cardladder: "CARDLADDER_WEB_KEY, CARDLADDER_EMAIL and CARDLADDER_PASSWORD",
  cardsiq: "CARDSIQ_API_URL and CARDSIQ_API_KEY",
};
/** Names the setting, for who can change it; staff, who cannot, are told what to choose instead. */
const PAGES_UNREAD = "Web scraping is switched off by the administrator (SCRAPING=off): no page is read";

export function notSetUpMessage(source: SourceName): string {
  return `${SOURCE_TITLES[source]}'s API is not set up: an administrator must set ${SETTINGS[source]}`;
}

/** Why an endpoint is never asked; null when it is. */
export function offReason(source: SourceName, endpoint: LookupEndpoint, { isOn, scraping }: SetUp): string | null {
  if (endpoint.endsWith("-page")) return scraping === "off" ? PAGES_UNREAD : null;
  return isOn[source] ? null : notSetUpMessage(source);
}
