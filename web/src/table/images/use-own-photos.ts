import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { useCallback, useRef, useState } from "react";
import { errorMessage } from "../../api/error-messages.ts";
import { deletePhoto, putPhoto } from "../../api/photos.ts";
import { toast } from "../../ui/toast.tsx";
import type { RowsStore } from "../rows-store.ts";
import { imagesOf } from "./images-of-row.ts";
import { photoProblem, formatSize } from "./photo-messages.ts";

export type OwnPhotos = {
  /** Replaces a side's picture with a photo; shows an error if it can't be used. */
  put: (row: ResultRow, side: ImageSide, photo: Blob) => void;
  /** Restores the grader's picture. */
  restore: (row: ResultRow, side: ImageSide) => void;
  /** A message about a side's change in progress; null if there is none. */
  workOf: (row: ResultRow, side: ImageSide) => string | null;
};

const keyOf = (row: ResultRow, side: ImageSide): string => `${row.id} ${side}`;

/**
 * Replaces card pictures with the user's photos, one change per side at a time. The table shows the server's saved
 * state.
 */
export function useOwnPhotos(rows: RowsStore): OwnPhotos {
  const [work, setWork] = useState<ReadonlyMap<string, string>>(new Map());
  const inProgress = useRef(new Map<string, string>());

  const change = useCallback(
    (row: ResultRow, side: ImageSide, message: string, failure: string, send: () => Promise<ResultRow>): void => {
      const key = keyOf(row, side);
      if (inProgress.current.has(key)) return;
      const publish = (): void => setWork(new Map(inProgress.current));
      inProgress.current.set(key, message);
      publish();
      send()
        .then(
          (saved) => rows.amend([imagesOf(saved)]),
          (error: unknown) => toast.error({ id: `photo-${key}`, title: failure, message: errorMessage(error) }),
        )
        .finally(() => {
          inProgress.current.delete(key);
          publish();
        });
    },
    [rows],
  );
  const put = useCallback(
    (row: ResultRow, side: ImageSide, photo: Blob): void => {
      const problem = photoProblem(photo);
      if (problem !== null) {
        toast.error({ id: "photo-problem", title: "The photo was not taken", message: problem });
        return;
      }
      const message = `Sending the photo, ${formatSize(photo.size)}…`;
      change(row, side, message, "The photo was not taken", () => putPhoto(row.id, side, photo));
    },
    [change],
  );
  const restore = useCallback(
    (row: ResultRow, side: ImageSide): void =>
      change(row, side, "Taking the photo away…", "The photo is still there", () => deletePhoto(row.id, side)),
    [change],
  );
  const workOf = useCallback((row: ResultRow, side: ImageSide) => work.get(keyOf(row, side)) ?? null, [work]);
  return { put, restore, workOf };
}
