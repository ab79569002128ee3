import type { z } from "zod";

/* Browser storage, which can be blocked or full. A key's prefix says whether it is removed at logout; see
   app/browser-storage.ts. */

type Area = "localStorage" | "sessionStorage";

/** Null if there is no value, or if the browser blocks storage. */
export function readItem(area: Area, key: string): string | null {
  return guarded(() => globalThis[area].getItem(key), null);
}

/** Stores a value, or removes it if it is null. False if the browser refused. */
export function writeItem(area: Area, key: string, value: string | null): boolean {
  return guarded(() => {
    if (value === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, value);
    return true;
  }, false);
}

/** Null for any text that this version didn't write. */
export function parseStored<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function guarded<Answer>(access: () => Answer, fallback: Answer): Answer {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return fallback;
    throw error;
  }
}

/** `crypto.randomUUID` needs https or localhost. This also works over plain http on a store's network. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
