import type { KeyboardEvent } from "react";
import { isTyping } from "./use-page-keys.ts";

type ListPlace = {
  activeIndex: number;
  count: number;
  /** Rows of a screen. */
  page: number;
};

/** Where a key leads, as an index that may lie outside the list; null when the key does not move. */
export function targetOfKey(key: string, { activeIndex, count, page }: ListPlace): number | null {
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

/**
 * Escape that nothing nearer takes: not that of a field, nor of a menu or dialog that was opened from here, which
 * stands elsewhere in the page while React hands its keys on to where it was made.
 */
export function isFreeEscape({ key, target, currentTarget }: KeyboardEvent): boolean {
  if (key !== "Escape" || !(target instanceof Element) || isTyping(target)) return false;
  return currentTarget.contains(target) && target.closest('[aria-expanded="true"]') === null;
}
