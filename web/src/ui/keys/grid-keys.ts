import type { KeyboardEvent } from "react";
import { isTyping } from "../use-page-keys.ts";

/** `page` is the number of rows per screen. */
type ListPlace = { activeIndex: number; count: number; page: number };

/** Returns the target index of a key, possibly out of range; null if the key doesn't move. */
export function targetOfKey(key: string, { activeIndex, count, page }: ListPlace): number | null {
  const targets: Record<string, number> = {
    ArrowDown: activeIndex + 1,
    ArrowUp: activeIndex - 1,
    PageDown: activeIndex + page,
    PageUp: activeIndex - page,
    Home: 0,
    End: count - 1,
  };
  return targets[key] ?? null;
}

/** True if Ctrl, Command or Alt is down. Such keys belong to the browser unless handled explicitly. */
export function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

export function isSelectAll(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "a";
}

/**
 * True for an Escape that nothing else handles. Excludes fields, and menus and dialogs opened from here: React bubbles
 * their keys to this component. An open dialog takes the key even before the focus has moved into it.
 */
export function isFreeEscape({ key, target, currentTarget }: KeyboardEvent): boolean {
  if (key !== "Escape" || !(target instanceof Element) || isTyping(target)) return false;
  if (!currentTarget.contains(target) || target.closest('[aria-expanded="true"]') !== null) return false;
  return target.ownerDocument.querySelector('[role="dialog"]') === null;
}
