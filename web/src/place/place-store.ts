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
  arrival: { isReturn: boolean };
};

const NOWHERE: Record<TabName, Spot> = { scanner: {}, dashboard: {}, admin: {} };

const listeners = new Set<() => void>();
let place: Place | null = null;

function current(): Place {
  place ??= placeOfUrl(NOWHERE);
  return place;
}

function placeOfUrl(spots: Place["spots"]): Place {
  const { tab, spot } = parsePlace(window.location.search);
  return { tab, spots: { ...spots, [tab]: spot }, arrival: { isReturn: true } };
}

function show(next: Place): void {
  place = next;
  for (const listener of listeners) listener();
}

function onReturn(): void {
  show(placeOfUrl(current().spots));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("popstate", onReturn);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function writeUrl(isStep: boolean): void {
  const { tab, spots } = current();
  const url = placeUrl(tab, spots[tab]);
  if (url === window.location.pathname + window.location.search) return;
  window.history[isStep ? "pushState" : "replaceState"](null, "", url);
}

export function usePlace(): Place {
  return useSyncExternalStore(subscribe, current);
}

/** Opens a tab, where the person left it or at a spot. `isStep`: Back leads to where they are now. */
export function goTo(tab: TabName, spot?: Spot, { isStep = true } = {}): void {
  const { spots, arrival } = current();
  const isToSpot = spot !== undefined;
  show({ tab, spots: isToSpot ? { ...spots, [tab]: spot } : spots, arrival: isToSpot ? { isReturn: false } : arrival });
  writeUrl(isStep);
}

/**
 * Notes what changed in a tab, shown or not. `isStep`: the person would say that they went somewhere, so Back undoes it.
 */
export function noteSpot(tab: TabName, change: Spot, { isStep = false } = {}): void {
  const { spots, ...rest } = current();
  show({ ...rest, spots: { ...spots, [tab]: { ...spots[tab], ...change } } });
  writeUrl(isStep);
}

/** Forgets all spots, for the next person who signs in here. */
export function leavePlace(): void {
  show({ tab: "scanner", spots: NOWHERE, arrival: { isReturn: false } });
  writeUrl(false);
}
