import { toast } from "./toast.tsx";

/** Copies a text and says so as `what`. Browsers allow it only on https and on this machine, so a refusal is told. */
export async function copyText(text: string, what: string): Promise<void> {
  const id = "copied-text";
  try {
    await navigator.clipboard.writeText(text);
    toast.done({ id, message: `Copied ${what}` });
  } catch {
    toast.error({ id, message: `The browser does not allow copying here. Select ${what} and copy it by hand.` });
  }
}
