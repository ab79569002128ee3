import { useWindowEvent } from "@mantine/hooks";
import type { RefObject } from "react";
import type { SheetChoice } from "../sheet/use-sheet.ts";

/**
 * Handles a paste outside any field: files as if chosen, text as numbers. Only while the step is visible and no dialog
 * is open.
 */
export function usePagePaste(step: RefObject<HTMLElement | null>, { chooseFiles, pasteText }: SheetChoice): void {
  useWindowEvent("paste", (event) => {
    if (!step.current || step.current.offsetParent === null || isField(event.target)) return;
    if (document.querySelector('[role="dialog"]')) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim() === "" && files.length === 0) return;
    event.preventDefault();
    // A spreadsheet adds an image of the cells to their text.
    if (text.trim() === "") chooseFiles(files);
    else pasteText(text);
  });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
