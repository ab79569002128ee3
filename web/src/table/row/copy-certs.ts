import { toast } from "../../ui/toast.tsx";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { formatCount } from "../../ui/format-numbers.ts";

/** Copies cert numbers, one per line. Browsers allow this only on HTTPS and localhost. */
export async function copyCerts(rows: RowsSnapshot): Promise<void> {
  const [first, ...others] = rows.map(({ certNumber }) => certNumber);
  if (first === undefined) return;
  const id = "copied-cert";
  try {
    await navigator.clipboard.writeText([first, ...others].join("\n"));
    const what = others.length === 0 ? first : `${formatCount(rows.length)} cert numbers`;
    toast.done({ id, message: `Copied ${what}` });
  } catch {
    const number = others.length === 0 ? ` The number is ${first}` : "";
    toast.error({ id, message: `Your browser doesn't allow copying here.${number}` });
  }
}
