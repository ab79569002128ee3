import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect } from "react";

type VirtualRows = { count: number; rowHeight: number; activeIndex: number; scrollPaddingEnd?: number };

/** How long after a scroll event `isScrolling` stays true. */
const SCROLLING_MS = 100;

/** Virtual rows of one height. The active row stays in the document, so that a scroll can't lose its focus or input. */
export function useVirtualRows(scroller: RefObject<HTMLElement | null>, rows: VirtualRows) {
  const { count, rowHeight, activeIndex, scrollPaddingEnd = 0 } = rows;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    scrollPaddingEnd,
    isScrollingResetDelay: SCROLLING_MS,
    useFlushSync: false,
    rangeExtractor: useCallback((range: Range) => withActive(defaultRangeExtractor(range), activeIndex), [activeIndex]),
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  return virtualizer;
}

function withActive(indexes: number[], activeIndex: number): number[] {
  if (activeIndex < 0 || indexes.includes(activeIndex)) return indexes;
  return [...indexes, activeIndex].sort((a, b) => a - b);
}
