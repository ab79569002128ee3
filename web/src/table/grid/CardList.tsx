import { NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import { canRetry, isByHand, isEnteredHere } from "@slabdesk/contract/review/row-state.ts";
import { Button, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { ByHandTag, GradeChip } from "../../card/chips.tsx";
import { storedUrlOf } from "../../card/images.ts";
import { populationMessage, rowMessage, rowRemarks, rowTitle } from "../../card/row-messages.ts";
import { Boundary } from "../../ui/Boundary.tsx";
import { CardPrices } from "../prices/price-cells.tsx";
import { ReviewCard } from "../review/ReviewCell.tsx";
import { CardButton, Certification, Population, Price, RowState } from "../row/cells.tsx";
import { Thumb } from "../row/Thumbs.tsx";
import tones from "../row/tone.module.css";
import { RowCheckbox } from "../row/SelectBox.tsx";
import styles from "./CardList.module.css";
import { type ListedRow, type RowListProps, rowIn, useScrollToRow } from "./use-scroll-anchor.ts";

const CARD_HEIGHT = 122;
const PHOTO_CSS_WIDTH = 68;

/** The rows on a phone: one card per row, photo first, scrolled with the page. Virtualized like the grid. */
export function CardList(props: RowListProps) {
  const { label, rows } = props;
  const list = useRef<HTMLUListElement>(null);
  const listTop = useListTop(list);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    overscan: 6,
    scrollMargin: listTop,
    useFlushSync: false,
  });
  useScrollToRow(props, (index, align) => virtualizer.scrollToIndex(index, { align }));
  return (
    <ul ref={list} aria-label={label} style={{ position: "relative", height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const row = rows[item.index];
        if (!row) return null;
        return (
          <li
            key={row.id}
            ref={virtualizer.measureElement}
            data-index={item.index}
            aria-setsize={rows.length}
            aria-posinset={item.index + 1}
            style={{ position: "absolute", inset: `${item.start - listTop}px 0 auto` }}
          >
            <Boundary name={`Line ${row.line}`} resetKey={row}>
              <Card {...rowIn(props, row)} />
            </Boundary>
          </li>
        );
      })}
    </ul>
  );
}

const Card = memo(function Card({ editor, isFlashing, ...props }: ListedRow) {
  const cell = { ...props, tabIndex: 0 };
  const { row, isSelected, context } = cell;
  const { tone, label } = rowMessage(row, context.isRunning);
  return (
    <div
      className={`${tones.tone} ${styles.card}`}
      data-tone={tone}
      data-selected={isSelected || undefined}
      data-flashing={isFlashing || undefined}
    >
      <UnstyledButton
        className={styles.photo}
        aria-label={`Images of ${rowTitle(row) ?? row.certNumber}`}
        onClick={() => context.onOpen(row, "photos")}
      >
        <Thumb row={row} side={storedUrlOf(row, "front") === null ? "back" : "front"} cssWidth={PHOTO_CSS_WIDTH} />
      </UnstyledButton>
      <span className={styles.tools}>
        <RowCheckbox {...cell} />
      </span>
      <Stack gap={3} flex={1} miw={0} fz="md" className={styles.message}>
        <CardButton {...cell} className={styles.title} />
        <RowState {...cell} />
        {rowRemarks(row)
          .filter(({ kind }) => kind !== "differs" || label !== null)
          .map(({ kind, message }) => (
            <Text key={message} fz="xs" lh={1.35} className={tones.remark ?? ""} data-kind={kind}>
              {message}
            </Text>
          ))}
        <Stack gap={6} mt="auto" className={styles.facts}>
          <Certification {...cell} />
          <Group gap={10}>
            {row.grade !== NOT_AVAILABLE && <GradeChip grade={row.grade} />}
            <ByHandTag row={row} />
            {populationMessage(row) !== null && <Population row={row} />}
            <span style={{ marginInlineStart: "auto", fontWeight: 550, fontVariantNumeric: "tabular-nums" }}>
              <Text span fz="xs" fw={400} c="dimmed">
                cost{" "}
              </Text>
              <Price row={row} />
            </span>
          </Group>
        </Stack>
        <CardPrices {...cell} />
        {!context.isReview && (canRetry(row) || (isByHand(row) && !isEnteredHere(row))) && (
          <Button
            size="compact-xs"
            mih={44}
            px={12}
            me="auto"
            aria-label={`Retry ${row.certNumber}`}
            onClick={() => context.onRetry(row)}
          >
            Retry
          </Button>
        )}
      </Stack>
      {context.isReview && <ReviewCard {...cell} />}
      {editor}
    </div>
  );
});

/** The list's offset from the top of the page. The offset changes when content above the list expands or collapses. */
function useListTop(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (list.current) setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return top;
}
