import { LARGEST_PHOTO_BYTES, PHOTO_TYPES } from "@slabdesk/contract/api/photos.ts";
import { toast } from "../../ui/toast.tsx";

const TAKEN: readonly string[] = PHOTO_TYPES;

/** The options of a file dialog for one photo. */
export const PHOTO_FILE = { accept: PHOTO_TYPES.join(","), multiple: false };

const MEGABYTE = 1_000_000;

/** "3.2 MB", "240 kB" */
export function formatSize(bytes: number): string {
  if (bytes >= MEGABYTE) return `${Math.round(bytes / (MEGABYTE / 10)) / 10} MB`;
  return `${Math.max(1, Math.round(bytes / 1_000))} kB`;
}

/** Why a file can't be used as a photo; null if it can. */
export function photoProblem({ type, size }: Pick<Blob, "type" | "size">): string | null {
  if (!TAKEN.includes(type)) return "Choose a JPEG, PNG, WebP or AVIF image.";
  if (size > LARGEST_PHOTO_BYTES)
    return `The photo has ${formatSize(size)}. It can have at most ${formatSize(LARGEST_PHOTO_BYTES)}.`;
  return size === 0 ? "The file is empty." : null;
}

/** True if the file can be used as a photo; otherwise shows why not. */
export function isUsablePhoto(photo: Blob): boolean {
  const problem = photoProblem(photo);
  if (problem !== null) toast.error({ id: "photo-problem", title: "Couldn't save the photo", message: problem });
  return problem === null;
}

/** The first image among files; without one, the first file, so that its problem can be shown. */
export function photoAmong(files: Iterable<File>): File | null {
  const all = [...files];
  return all.find((file) => TAKEN.includes(file.type)) ?? all[0] ?? null;
}
