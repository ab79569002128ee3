import { useSyncExternalStore } from "react";
import { parsePlace, placeUrl, type Spot, type TabName } from "./place.ts";

/*
 * Where the person is, mirrored into the URL's query. Each tab keeps its own spot while another tab is shown; the URL
 * names only the shown one. Going somewhere adds an entry to the browser's history, so Back leads to where one was.
 */

type Place = {
  tab: TabName;
  spots: Readonly<Record<TabName, Spot>>;
  /** A new object each time the person goes somewhere or comes back, and not when the spot only changes. */
  arrival: Arrival;
};

/** `jump`: the row to show, once per object. */
type Arrival = { isReturn: boolean; jump: { tab: TabName; rowId: string } | null };

const NOWHERE: Record<TabName, Spot> = { scanner: {}, dashboard: {}, admin: {} };

const listeners = new Set<() => void>();
let place: Place | null = null;
/** True from closing a card until the browser has left the card's entry of the history. */
let isClosingCard = false;

function current(): Place {
  place ??= placeOfUrl(NOWHERE);
  return place;
}

function placeOfUrl(spots: Place["spots"]): Place {
  const { tab, spot } = parsePlace(window.location.search);
  return { tab, spots: { ...spots, [tab]: spot }, arrival: arrivalAt(tab, spot, true) };
}

function arrivalAt(tab: TabName, { row, card }: Spot, isReturn: boolean): Arrival {
  const rowId = row ?? card;
  return { isReturn, jump: rowId === undefined ? null : { tab, rowId } };
}

function show(next: Place): void {
  place = next;
  for (const listener of listeners) listener();
}

function onReturn(): void {
  const { spots, arrival } = current();
  show({ ...placeOfUrl(spots), ...(isClosingCard && { arrival }) });
  isClosingCard = false;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("popstate", onReturn);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Marks the entry of a card that was opened on its page, so that closing the card can take the entry back. */
const CARD_ENTRY = "card";

function writeUrl(isStep: boolean, mark: string | null = null): void {
  const { tab, spots } = current();
  const url = placeUrl(tab, spots[tab]);
  if (url === window.location.pathname + window.location.search) return;
  if (isStep) window.history.pushState(mark, "", url);
  else window.history.replaceState(window.history.state, "", url);
}

export function usePlace(): Place {
  return useSyncExternalStore(subscribe, current);
}

/** The row that the person came for, if it is in this tab's table. */
export function useJump(tab: TabName): Arrival["jump"] {
  const { jump } = usePlace().arrival;
  return jump?.tab === tab ? jump : null;
}

/** Opens a tab, where the person left it or at a spot. `isStep`: Back leads to where they are now. */
export function goTo(tab: TabName, spot?: Spot, { isStep = true } = {}): void {
  const { spots, arrival } = current();
  if (spot === undefined) show({ tab, spots, arrival });
  else show({ tab, spots: { ...spots, [tab]: spot }, arrival: arrivalAt(tab, spot, false) });
  writeUrl(isStep);
}

/** Notes what changed in a tab, shown or not. `isStep`: the person went somewhere, so Back undoes it. */
export function noteSpot(tab: TabName, part: Spot, { isStep = false } = {}): void {
  change(tab, part);
  writeUrl(isStep);
}

function change(tab: TabName, part: Spot): void {
  const { spots, ...rest } = current();
  show({ ...rest, spots: { ...spots, [tab]: { ...spots[tab], ...part } } });
}

/** Opens a row's card. Back closes it; a step to another card doesn't count. */
export function openCard(tab: TabName, card: string): void {
  const isFirst = current().spots[tab].card === undefined;
  change(tab, { row: undefined, card });
  writeUrl(isFirst, CARD_ENTRY);
}

export function closeCard(tab: TabName): void {
  const isOwnEntry = window.history.state === CARD_ENTRY && current().tab === tab;
  change(tab, { card: undefined });
  if (!isOwnEntry) return writeUrl(false);
  isClosingCard = true;
  window.history.back();
}

/** Forgets all spots, for the next person who signs in here. */
export function leavePlace(): void {
  show({ tab: "scanner", spots: NOWHERE, arrival: { isReturn: false, jump: null } });
  writeUrl(false);
}
