import type { CardHistory, CardValues, ColleagueLookUp, OwnLookUp } from "@slabdesk/contract/api/lookup-history.ts";
import { money, wholeMoney } from "../ui/format-money.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });
const DAY_AND_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** The same certificate is in another session that hasn't ended. */
export const TWICE_OPEN_MESSAGE = "Also in another open session";

/** "3 May", or "3 May 2025" in another year, in the user's time zone. */
export function lookUpDay(at: string, nowMs: number): string {
  const day = new Date(at);
  const isThisYear = day.getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? DAY : DAY_AND_YEAR).format(day);
}

/** "$410 then, $455 now"; null when the card was never priced. */
export function valuesMessage({ valueThen, valueNow }: CardValues): string | null {
  const message = [
    ...(valueThen === null ? [] : [`${dollars(valueThen)} then`]),
    ...(valueNow === null ? [] : [`${dollars(valueNow)} now`]),
  ];
  return message.length === 0 ? null : message.join(", ");
}

/** 'You looked it up on 3 May in "Dallas show", $410 then, $455 now'. For administrators, names the user. */
export function ownMessage(lookUp: OwnLookUp, nowMs: number): string {
  const who = lookUp.owner ?? "You";
  const message = `${who} looked it up on ${lookUpDay(lookUp.at, nowMs)} in "${lookUp.sessionName}"`;
  const values = valuesMessage(lookUp);
  return values === null ? message : `${message}, ${values}`;
}

/** "Looked up by Ana Ruiz on 3 May" */
export function colleagueMessage({ by, at }: ColleagueLookUp, nowMs: number): string {
  return `Looked up by ${by} on ${lookUpDay(at, nowMs)}`;
}

/** Who looked the card up before, one sentence each. */
export function lookUpMessage({ own, colleague }: CardHistory, nowMs: number): string[] {
  return [...(own ? [ownMessage(own, nowMs)] : []), ...(colleague ? [colleagueMessage(colleague, nowMs)] : [])];
}

/** The card's full look-up history, one sentence each. */
export function lookupHistoryMessages(lookupHistory: CardHistory, nowMs: number): string[] {
  return [...lookUpMessage(lookupHistory, nowMs), ...(lookupHistory.isTwiceOpen ? [TWICE_OPEN_MESSAGE] : [])];
}

/** Omits cents if they are zero. */
function dollars(value: number): string {
  return Number.isInteger(value) ? wholeMoney(value) : money(value);
}
