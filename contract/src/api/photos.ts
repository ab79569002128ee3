/** The path of user photos. A user photo replaces the grader's address in `imageUrl` or `imageUrlBack`. */
export const OWN_PHOTO_PATH = "/api/photos/";

export const LARGEST_PHOTO_BYTES = 20_000_000;

export const PHOTO_TYPES = ["image/jpeg", "image/png", "image/webp", "image/avif"] as const;

export function isOwnPhoto(url: string | null): boolean {
  return url?.startsWith(OWN_PHOTO_PATH) ?? false;
}
