import type { CardMemory, CardValues, ColleagueLookUp, OwnLookUp } from "@slabdesk/contract/api/memory.ts";
import { money, wholeMoney } from "./prices/price-words.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });
const DAY_AND_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** The same certificate stands in a session that has not ended. */
export const TWICE_OPEN_WORDS = "Also in another open session";

/** "3 May", "3 May 2025" of another year, in the reader's time zone. */
export function lookUpDay(at: string, nowMs: number): string {
  const day = new Date(at);
  const isThisYear = day.getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? DAY : DAY_AND_YEAR).format(day);
}

/** "$410 then, $455 now"; null when the card was never priced. */
export function valuesWords({ valueThen, valueNow }: CardValues): string | null {
  const words = [
    ...(valueThen === null ? [] : [`${dollars(valueThen)} then`]),
    ...(valueNow === null ? [] : [`${dollars(valueNow)} now`]),
  ];
  return words.length === 0 ? null : words.join(", ");
}

/** 'You looked it up on 3 May in "Dallas show", $410 then, $455 now'; an administrator is told who did. */
export function ownWords(lookUp: OwnLookUp, nowMs: number): string {
  const who = lookUp.owner ?? "You";
  const words = `${who} looked it up on ${lookUpDay(lookUp.at, nowMs)} in "${lookUp.sessionName}"`;
  const values = valuesWords(lookUp);
  return values === null ? words : `${words}, ${values}`;
}

/** "Looked up by Ana Ruiz on 3 May" */
export function colleagueWords({ by, at }: ColleagueLookUp, nowMs: number): string {
  return `Looked up by ${by} on ${lookUpDay(at, nowMs)}`;
}

/** Who looked a card up before, a sentence each. */
export function lookUpWords({ own, colleague }: CardMemory, nowMs: number): string[] {
  return [...(own ? [ownWords(own, nowMs)] : []), ...(colleague ? [colleagueWords(colleague, nowMs)] : [])];
}

/** All that is remembered of a card, a sentence each. */
export function memoryWords(memory: CardMemory, nowMs: number): string[] {
  return [...lookUpWords(memory, nowMs), ...(memory.isTwiceOpen ? [TWICE_OPEN_WORDS] : [])];
}

/** Cents only where there are any. */
function dollars(value: number): string {
  return Number.isInteger(value) ? wholeMoney(value) : money(value);
}
