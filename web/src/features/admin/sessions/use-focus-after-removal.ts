import { type RefObject, useEffect, useRef } from "react";

export type FocusAfterRemoval = {
  /** Goes around the list; its elements carry `data-session`. */
  list: RefObject<HTMLDivElement | null>;
  /** To be called while the removed one is still in the list. */
  noteRemoval: (id: string) => void;
};

/**
 * A button that goes with its line takes the focus along, and a keyboard's user back to the top of the page. The button
 * of the line that takes the place has it instead, or else the list.
 */
export function useFocusAfterRemoval(ids: readonly string[]): FocusAfterRemoval {
  const list = useRef<HTMLDivElement>(null);
  const removed = useRef<{ id: string; place: number } | null>(null);
  useEffect(() => {
    if (removed.current === null || ids.includes(removed.current.id)) return;
    const next = ids[Math.min(removed.current.place, ids.length - 1)];
    removed.current = null;
    if (document.activeElement !== document.body) return;
    const line = next === undefined ? null : list.current?.querySelector(`[data-session="${CSS.escape(next)}"]`);
    (line?.querySelector<HTMLElement>("button[data-delete]") ?? list.current)?.focus();
  }, [ids]);
  return { list, noteRemoval: (id) => (removed.current = { id, place: ids.indexOf(id) }) };
}
