import type { RefObject } from "react";
import { useFileDrop } from "../../ui/files/use-file-drop.ts";
import { photoAmong } from "./photo-messages.ts";

/**
 * Accepts photos dropped on an element. Returns true while a file is dragged over it. A null `onPhoto` accepts none.
 */
export function usePhotoDrop(target: RefObject<HTMLElement | null>, onPhoto: ((photo: File) => void) | null): boolean {
  const onFiles = (files: readonly File[]): void => {
    const photo = photoAmong(files);
    if (photo) onPhoto?.(photo);
  };
  return useFileDrop(target, onPhoto && onFiles);
}
