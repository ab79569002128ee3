import type { SourceName } from "@slabdesk/contract/api/sources.ts";
import { SOURCE_TITLES } from "@slabdesk/contract/api/sources.ts";
import type { LookupDoor } from "../../lanes/door.ts";

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

export function notSetUpWords(source: SourceName): string {
  return `${SOURCE_TITLES[source]}'s API is not set up: an administrator must set ${SETTINGS[source]}`;
}

/** Why a door is never asked; null when it is. */
export function whyOff(source: SourceName, door: LookupDoor, { isOn, scraping }: SetUp): string | null {
  if (door.endsWith("-page")) return scraping === "off" ? PAGES_UNREAD : null;
  return isOn[source] ? null : notSetUpWords(source);
}
