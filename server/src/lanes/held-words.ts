import { SOURCE_TITLES } from "@slabdesk/contract/api/sources.ts";
import { SOURCE_OF, type LookupDoor } from "./door.ts";

/** Why a door that is held by hand is not asked, for rows and for staff. */
export function heldWords(door: LookupDoor, { by, at }: { by: string; at: Date }): string {
  const [day, clock] = at.toISOString().split("T");
  return `${SOURCE_TITLES[SOURCE_OF[door]]} was paused by ${by} on ${day} at ${clock?.slice(0, 5)} UTC`;
}
