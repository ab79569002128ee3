import { type RefObject, useEffect } from "react";
import { isTyping } from "../../../ui/use-page-keys.ts";
import type { LastVerdict } from "./use-station.ts";

/** On a phone, focusing the field opens the keyboard, which covers the page, so the user focuses it there. */
const HAS_KEYBOARD = "(pointer: fine)";

/**
 * Keeps the field ready for typing. Focuses it on mount, after each scan, and after a click outside any control or on a
 * station button.
 */
export function useScanField(
  field: RefObject<HTMLInputElement | null>,
  panel: RefObject<HTMLElement | null>,
  last: LastVerdict | null,
): void {
  useEffect(() => {
    const isAtHand = (): boolean =>
      (panel.current?.checkVisibility() ?? false) && document.querySelector('[role="dialog"]') === null;
    const focus = (): void => field.current?.focus({ preventScroll: true });
    if (matchMedia(HAS_KEYBOARD).matches) focus();

    const onClick = ({ target, detail }: MouseEvent): void => {
      if (!matchMedia(HAS_KEYBOARD).matches || !isAtHand() || !(target instanceof Element)) return;
      const isOwn = panel.current?.contains(target) ?? false;
      const isOnControl = target.closest("a, button, input, select, textarea, label, [tabindex]") !== null;
      // After a button is pressed by key, keep the focus where the user put it.
      const isDone = isOwn ? detail > 0 || !isOnControl : !isOnControl;
      if (isDone && getSelection()?.isCollapsed !== false) focus();
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, [field, panel]);
  useEffect(() => {
    if (last === null || last.verdict.kind === "undone" || isTyping(document.activeElement)) return;
    if (matchMedia(HAS_KEYBOARD).matches && document.querySelector('[role="dialog"]') === null)
      field.current?.focus({ preventScroll: true });
  }, [field, last]);
}
