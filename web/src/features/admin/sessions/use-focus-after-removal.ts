import { type RefObject, useEffect, useRef } from "react";

export type FocusAfterRemoval = {
  /** Ref for the list container; its items carry `data-id`. */
  list: RefObject<HTMLDivElement | null>;
  /** Call this while the removed item is still in the list. */
  noteRemoval: (id: string) => void;
};

/**
 * Deleting a line removes its focused button and would reset the focus to the top of the page. Moves the focus to the
 * button of the line that takes its place, or else to the list.
 */
export function useFocusAfterRemoval(ids: readonly string[]): FocusAfterRemoval {
  const list = useRef<HTMLDivElement>(null);
  const removed = useRef<{ id: string; place: number } | null>(null);
  useEffect(() => {
    if (removed.current === null || ids.includes(removed.current.id)) return;
    const next = ids[Math.min(removed.current.place, ids.length - 1)];
    removed.current = null;
    if (document.activeElement !== document.body) return;
    const line = next === undefined ? null : list.current?.querySelector(`[data-id="${CSS.escape(next)}"]`);
    (line?.querySelector<HTMLElement>("button[data-delete]") ?? list.current)?.focus();
  }, [ids]);
  return { list, noteRemoval: (id) => (removed.current = { id, place: ids.indexOf(id) }) };
}
