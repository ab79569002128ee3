/** Where a person's own photo of a card is kept; stands in place of a grader's address in `imageUrl` or `imageUrlBack`. */
export const OWN_PHOTO_PATH = "/api/photos/";

/** The largest photo that is taken, in bytes. */
export const LARGEST_PHOTO_BYTES = 20_000_000;

export const PHOTO_TYPES = ["image/jpeg", "image/png", "image/webp", "image/avif"] as const;

export function isOwnPhoto(url: string | null): boolean {
  return url?.startsWith(OWN_PHOTO_PATH) ?? false;
}
