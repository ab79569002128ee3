import type { CardHistory, CardValues, ColleagueLookUp, OwnLookUp } from "@slabdesk/contract/api/lookup-history.ts";
import { formatDay } from "@slabdesk/contract/certs/dates.ts";
import { money, wholeMoney } from "../ui/format-numbers.ts";

/** The same certificate is in another session that hasn't ended. */
export const TWICE_OPEN_MESSAGE = "Also in another open session";

/** "$410 then, $455 now", "$61, unchanged"; null when the card was never priced. */
export function valuesMessage({ valueThen, valueNow }: CardValues): string | null {
  if (valueThen !== null && valueThen === valueNow) return `${dollars(valueThen)}, unchanged`;
  const before = valueThen === null ? [] : [`${dollars(valueThen)} then`];
  const now = valueNow === null ? [] : [`${dollars(valueNow)} now`];
  return [...before, ...now].join(", ") || null;
}

/** 'You looked it up on May 3, 2026 in "Dallas show", $410 then, $455 now'. For administrators, names the user. */
export function ownMessage(lookUp: OwnLookUp): string {
  const message = `${lookUp.owner ?? "You"} looked it up on ${formatDay(lookUp.at)} in "${lookUp.sessionName}"`;
  const values = valuesMessage(lookUp);
  return values === null ? message : `${message}, ${values}`;
}

export const colleagueMessage = ({ by, at }: ColleagueLookUp): string => `Looked up by ${by} on ${formatDay(at)}`;

/** Who looked the card up before, one sentence each. */
export function lookUpMessage({ own, colleague }: CardHistory): string[] {
  return [...(own ? [ownMessage(own)] : []), ...(colleague ? [colleagueMessage(colleague)] : [])];
}

/** The card's full lookup history, one sentence each. */
export function lookupHistoryMessages(lookupHistory: CardHistory): string[] {
  return [...lookUpMessage(lookupHistory), ...(lookupHistory.isTwiceOpen ? [TWICE_OPEN_MESSAGE] : [])];
}

const dollars = (value: number): string => (Number.isInteger(value) ? wholeMoney(value) : money(value));
