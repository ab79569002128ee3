import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { changePhoto } from "../../run/session-requests.ts";
import { useAction } from "../../run/use-action.ts";
import { toast } from "../../ui/toast.tsx";
import { photoProblem, formatSize } from "./photo-messages.ts";

export type OwnPhotos = ReturnType<typeof useOwnPhotos>;

/** Without a photo, the grader's picture is restored. */
type PhotoChange = { row: ResultRow; side: ImageSide; photo: Blob | null };

const keyOf = ({ row, side }: Omit<PhotoChange, "photo">): string => `${row.id} ${side}`;

/**
 * Replaces card pictures with the user's photos, one change per side at a time. The table shows the server's saved
 * state.
 */
export function useOwnPhotos() {
  const { run, pending } = useAction<PhotoChange>({
    send: ({ row, side, photo }) => changePhoto(row, side, photo),
    failure: (change) => ({
      id: `photo-${keyOf(change)}`,
      title: change.photo === null ? "Couldn't remove the photo" : "Couldn't save the photo",
    }),
    keyOf,
  });
  return {
    /** Replaces a side's picture with a photo; shows an error if it can't be used. */
    put: (row: ResultRow, side: ImageSide, photo: Blob): void => {
      const problem = photoProblem(photo);
      if (problem === null) run({ row, side, photo });
      else toast.error({ id: "photo-problem", title: "Couldn't save the photo", message: problem });
    },
    /** Restores the grader's picture. */
    restore: (row: ResultRow, side: ImageSide): void => run({ row, side, photo: null }),
    /** A message about a side's change in progress; null if there is none. */
    workOf: (row: ResultRow, side: ImageSide): string | null => {
      const change = pending.find((other) => keyOf(other) === keyOf({ row, side }));
      if (change === undefined) return null;
      return change.photo === null ? "Removing the photo…" : `Sending the photo, ${formatSize(change.photo.size)}…`;
    },
  };
}
