import { type RefObject, type UIEvent, useCallback, useLayoutEffect, useMemo, useState } from "react";
import { type ColumnArrangement, resizeColumn } from "./column-arrangement.ts";
import { layoutOf, totalWidthOf } from "./column-layout.ts";
import type { ResultColumn } from "./columns.tsx";
import type { TableSettings } from "./use-table-preferences.ts";

/**
 * Sets a column's width in CSS pixels; null restores the default. A width that isn't final is only shown, so that a drag
 * saves one width.
 */
export type ResizeColumn = (id: string, width: number | null, isFinal: boolean) => void;

type ColumnLayoutOptions = {
  scroller: RefObject<HTMLElement | null>;
  arrangement: ColumnArrangement;
  leading: readonly ResultColumn[];
  settings: TableSettings;
};

/** The columns to draw in the scroller's width. */
export function useColumnLayout({ scroller, arrangement, leading, settings }: ColumnLayoutOptions) {
  const room = useRoom(scroller);
  const { change } = settings;
  const [draft, setDraft] = useState<{ id: string; width: number } | null>(null);
  const columns = useMemo(() => {
    const shown = draft === null ? arrangement : resizeColumn(arrangement, draft.id, draft.width);
    return layoutOf(shown, leading, room);
  }, [arrangement, draft, leading, room]);
  const resize = useCallback<ResizeColumn>(
    (id, width, isFinal) => {
      setDraft(isFinal || width === null ? null : { id, width });
      if (isFinal) change((now) => resizeColumn(now, id, width));
    },
    [change],
  );
  const [isAside, setAside] = useState(false);
  /** Includes all columns if the table is scrolled sideways. */
  const inView = useMemo(() => {
    const isInView = (at: number): boolean => totalWidthOf(columns.slice(0, at)) < room + ROOM_STEP;
    return isAside || room === 0 ? columns.length : columns.filter((_, at) => isInView(at)).length;
  }, [columns, room, isAside]);
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>): void => setAside(currentTarget.scrollLeft > 0);
  return { columns, inView, isAside, onScroll, resize };
}

const ROOM_STEP = 16;

/** An element's inner width in CSS pixels, rounded down to steps; 0 until it is measured. */
function useRoom(measured: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = measured.current;
    if (!element) return;
    const measure = (): void => setRoom(Math.floor(element.clientWidth / ROOM_STEP) * ROOM_STEP);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [measured]);
  return room;
}
