import { type RefObject, useEffect } from "react";
import { isTyping } from "../../../ui/use-page-keys.ts";
import { type StrayKeys, takeStrayKey } from "./stray-keys.ts";

/** On a phone, focusing the field opens the keyboard, which covers the page, so the user focuses it there. */
const HAS_KEYBOARD = "(pointer: fine)";

/**
 * Keeps the field ready for a scanner. Focuses it on mount, and again after a click outside any control or on a station
 * button. Routes scanner input to the field if the focus is elsewhere.
 */
export function useScanField(field: RefObject<HTMLInputElement | null>, panel: RefObject<HTMLElement | null>): void {
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

    let stray: StrayKeys | null = null;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || !isAtHand() || !field.current) return;
      const taken = takeStrayKey(stray, event.key, event.timeStamp);
      stray = taken.isScan ? null : taken.stray;
      if (!taken.isScan) return;
      event.preventDefault();
      event.stopPropagation();
      field.current.value += taken.stray.text;
      focus();
    };
    document.addEventListener("click", onClick);
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => {
      document.removeEventListener("click", onClick);
      window.removeEventListener("keydown", onKeyDown, { capture: true });
    };
  }, [field, panel]);
}
