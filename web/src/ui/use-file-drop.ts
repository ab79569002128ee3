import { type RefObject, useEffect, useRef, useState } from "react";

/**
 * Accepts files dropped on an element. Returns true while files are dragged over it. A null `onFiles` accepts none. Files
 * dropped beside the element don't replace the page.
 */
export function useFileDrop(
  target: RefObject<HTMLElement | null>,
  onFiles: ((files: readonly File[]) => void) | null,
): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const isOn = (place: EventTarget | null): boolean =>
      place instanceof Node && target.current?.contains(place) === true;
    const onDrag = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(event.type === "dragover" && latest.current !== null && isOn(event.target));
      if (event.type === "drop" && isOn(event.target)) latest.current?.([...event.dataTransfer.files]);
    };
    document.addEventListener("dragover", onDrag, { signal });
    document.addEventListener("drop", onDrag, { signal });
    document.addEventListener("dragleave", ({ relatedTarget }) => setOver((over) => over && isOn(relatedTarget)), {
      signal,
    });
    return () => listening.abort();
  }, [target]);
  return isOver;
}
