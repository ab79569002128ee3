import { useWindowEvent } from "@mantine/hooks";
import { type RefObject, useState } from "react";

/**
 * Accepts files dropped on an element. Returns true while files are dragged over it. A null `onFiles` accepts none. Files
 * dropped beside the element don't replace the page.
 */
export function useFileDrop(
  target: RefObject<HTMLElement | null>,
  onFiles: ((files: readonly File[]) => void) | null,
): boolean {
  const [isOver, setOver] = useState(false);
  const isOn = (place: EventTarget | null): boolean =>
    place instanceof Node && target.current?.contains(place) === true;
  const onDrag = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    setOver(event.type === "dragover" && onFiles !== null && isOn(event.target));
    if (event.type === "drop" && isOn(event.target)) onFiles?.([...event.dataTransfer.files]);
  };
  useWindowEvent("dragover", onDrag);
  useWindowEvent("drop", onDrag);
  useWindowEvent("dragleave", ({ relatedTarget }) => setOver((over) => over && isOn(relatedTarget)));
  return isOver;
}
