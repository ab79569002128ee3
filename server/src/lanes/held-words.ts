import { SOURCE_NAMES, SOURCE_TITLES } from "@slabdesk/contract/api/sources.ts";
import { LOOKUP_DOORS, type LookupDoor } from "./door.ts";

/** Why a door that is held by hand is not asked, for rows and for staff. */
export function heldWords(door: LookupDoor, { by, at }: { by: string; at: Date }): string {
  const [day, clock] = at.toISOString().split("T");
  const source = SOURCE_NAMES.find((name) => LOOKUP_DOORS[name].some((one) => one === door));
  return `${source ? SOURCE_TITLES[source] : door} was paused by ${by} on ${day} at ${clock?.slice(0, 5)} UTC`;
}
