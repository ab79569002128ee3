import type { KeyboardEvent } from "react";

type GridPlace = {
  activeIndex: number;
  count: number;
  /** Rows of a screen. */
  page: number;
};

/** Where a key leads, as an index that may lie outside the rows; null when the key does not move. */
export function targetOfKey(key: string, { activeIndex, count, page }: GridPlace): number | null {
  switch (key) {
    case "ArrowDown":
      return activeIndex + 1;
    case "ArrowUp":
      return activeIndex - 1;
    case "PageDown":
      return activeIndex + page;
    case "PageUp":
      return activeIndex - page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/** Ctrl, Command or Alt: the browser's keys, but for those that are named. */
export function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/** Ctrl+A, or Command+A on a Mac. */
export function isSelectAll(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "a";
}
