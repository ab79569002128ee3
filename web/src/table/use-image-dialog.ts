import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useCallback, useState } from "react";
import type { RowsSnapshot } from "./rows-store.ts";

type ImageDialogState = {
  openId: string | null;
  row: ResultRow | null;
  open: (row: ResultRow) => void;
  close: () => void;
  /** Goes to the row before or after it; undefined where there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
};

/** Which row's images are shown in full size, and the way from card to card; the row shown is the active one. */
export function useImageDialog(rows: RowsSnapshot, onActivate: (id: string) => void): ImageDialogState {
  const [openId, setOpenId] = useState<string | null>(null);
  const open = useCallback((row: ResultRow) => setOpenId(row.id), []);
  const close = useCallback(() => setOpenId(null), []);
  const index = openId === null ? -1 : rows.findIndex((row) => row.id === openId);
  const goTo = (place: number): (() => void) | undefined => {
    const row = index < 0 ? undefined : rows[place];
    return (
      row &&
      (() => {
        setOpenId(row.id);
        onActivate(row.id);
      })
    );
  };
  return { openId, row: rows[index] ?? null, open, close, onPrevious: goTo(index - 1), onNext: goTo(index + 1) };
}
