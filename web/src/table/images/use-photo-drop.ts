import { type RefObject, useEffect, useRef, useState } from "react";
import { photoAmong } from "./photo-messages.ts";

/**
 * Accepts photos dropped on an element. Returns true while a file is dragged over it. A null `onPhoto` accepts none.
 */
export function usePhotoDrop(target: RefObject<HTMLElement | null>, onPhoto: ((photo: File) => void) | null): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onPhoto);
  useEffect(() => {
    latest.current = onPhoto;
  });
  useEffect(() => {
    const element = target.current;
    if (!element) return;
    const listening = new AbortController();
    const { signal } = listening;
    const onOver = (event: DragEvent): void => {
      if (latest.current && event.dataTransfer?.types.includes("Files")) setOver(true);
    };
    const onLeave = ({ relatedTarget }: DragEvent): void => {
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      const photo = photoAmong(event.dataTransfer?.files ?? []);
      if (photo) latest.current?.(photo);
    };
    element.addEventListener("dragover", onOver, { signal });
    element.addEventListener("dragleave", onLeave, { signal });
    element.addEventListener("drop", onDrop, { signal });
    return () => listening.abort();
  }, [target]);
  return isOver;
}
