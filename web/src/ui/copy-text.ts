import { toast } from "./toast.tsx";

/** Copies a text and confirms it as `what`, or says that it failed: browsers allow it only on HTTPS and localhost. */
export async function copyText(text: string, what: string, instead = ` Select ${what} and copy it yourself.`) {
  const id = "copied-text";
  try {
    await navigator.clipboard.writeText(text);
    toast.done({ id, message: `Copied ${what}` });
  } catch {
    toast.error({ id, message: `Your browser doesn't allow copying here.${instead}` });
  }
}
