import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { RowsSnapshot } from "../run/rows-store.ts";
import type { TableControl } from "./filter/use-table-control.ts";
import type { Reveal } from "./grid/use-scroll-anchor.ts";

/** Asks a table to show a row. Each new object triggers one jump. */
export type JumpRequest = { rowId: string };

const FLASH_MS = 2_000;

/** Jumps to a requested row. Waits if the row is on a later page, and clears a filter or find text that hides it. */
export function useRowJump(jump: JumpRequest | null, all: RowsSnapshot, shown: RowsSnapshot, control: TableControl) {
  const [done, setDone] = useState<JumpRequest | null>(null);
  const [reveal, setReveal] = useState<Reveal | null>(null);
  const { showAll, setActiveId } = control;

  const isShown = jump !== null && jump !== done && shown.some(({ id }) => id === jump.rowId);
  if (isShown) {
    setDone(jump);
    setReveal({ rowId: jump.rowId, isJump: true });
  }
  const hidesJump = jump !== null && jump !== done && !isShown && all.some(({ id }) => id === jump.rowId);
  useEffect(() => {
    if (hidesJump) showAll();
  }, [hidesJump, showAll]);
  useEffect(() => {
    if (reveal === null) return;
    if (reveal.isJump) setActiveId(reveal.rowId);
    const timer = setTimeout(() => setReveal(null), FLASH_MS);
    return () => clearTimeout(timer);
  }, [reveal, setActiveId]);

  const bringIntoView = useCallback(
    ({ id }: ResultRow) => {
      setActiveId(id);
      setReveal({ rowId: id, isJump: false });
    },
    [setActiveId],
  );
  const jumpTo = ({ id }: ResultRow): void => {
    showAll();
    setReveal({ rowId: id, isJump: true });
  };
  return { reveal, bringIntoView, jumpTo };
}

/** If an action removes the active row from the list, activates the next one, so that keyboard work can continue. */
export function useStepOn(rows: RowsSnapshot, listKey: string, { activeId, setActiveId }: TableControl): void {
  const before = useRef({ rows, listKey, activeId });
  useLayoutEffect(() => {
    const previous = before.current;
    before.current = { rows, listKey, activeId };
    if (activeId === null || previous.activeId !== activeId) return;
    if (previous.rows === rows || previous.listKey !== listKey) return;
    const next = nextOf(previous.rows, rows, activeId);
    if (next !== null) setActiveId(next);
  }, [rows, listKey, activeId, setActiveId]);
}

/** The next row to activate; null if the active row is still visible, wasn't visible before, or no row is left. */
export function nextOf(before: RowsSnapshot, now: RowsSnapshot, activeId: string): string | null {
  const place = before.findIndex(({ id }) => id === activeId);
  if (place < 0 || now.some(({ id }) => id === activeId)) return null;
  const left = new Set(now.map(({ id }) => id));
  const behind = before.slice(place + 1).find(({ id }) => left.has(id));
  return (behind ?? now.at(-1))?.id ?? null;
}
