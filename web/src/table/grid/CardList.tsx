import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { canRetry, isByHand, isEnteredHere } from "@slabdesk/contract/review/row-state.ts";
import { Button, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { Boundary } from "../../ui/Boundary.tsx";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { ByHandTag, GradeChip } from "../../card/chips.tsx";
import { CardButton, Certification, Price, RowState } from "../row/cells.tsx";
import styles from "./CardList.module.css";
import type { RowContext } from "../row/row-context.ts";
import { ReviewCard } from "../review/ReviewCell.tsx";
import { CardPrices } from "../prices/CardPrices.tsx";
import { pictureOf } from "../../card/image-messages.ts";
import { populationMessage, rowRemarks, rowTitle, rowMessage } from "../../card/row-messages.ts";
import tones from "../row/tone.module.css";
import { RowCheckbox } from "../selection/SelectBox.tsx";
import { type RowListProps, useScrollToRow } from "./use-scroll-to-row.ts";
import { Population } from "../row/Population.tsx";
import { Thumb } from "../row/Thumbs.tsx";

const CARD_HEIGHT = 122;
const PHOTO_CSS_WIDTH = 68;

/** The rows on a phone: one card per row, photo first, scrolled with the page. Virtualized like the grid. */
export function CardList({ label, rows, selection, reveal, editor, context }: RowListProps) {
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
  useScrollToRow({ rows, editor, reveal, scrollTo: (index, align) => virtualizer.scrollToIndex(index, { align }) });
  return (
    <ul ref={list} aria-label={label} className={styles.list} style={{ height: virtualizer.getTotalSize() }}>
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
            className={styles.slot}
            style={{ transform: `translateY(${item.start - listTop}px)` }}
          >
            <Boundary name={`Line ${row.line}`} resetKey={row}>
              <Card
                row={row}
                editor={editor?.rowId === row.id ? editor.form : null}
                isSelected={selection.ids.has(row.id)}
                isFlashing={reveal?.isJump === true && reveal.rowId === row.id}
                context={context}
              />
            </Boundary>
          </li>
        );
      })}
    </ul>
  );
}

type CardProps = {
  row: ResultRow;
  editor: ReactNode;
  isSelected: boolean;
  isFlashing: boolean;
  context: RowContext;
};

const Card = memo(function Card({ row, editor, isSelected, isFlashing, context }: CardProps) {
  const { isRunning, onOpen, onRetry, onSelect, prices, review } = context;
  const title = rowTitle(row);
  return (
    <div
      className={`${tones.tone} ${styles.card}`}
      data-tone={rowMessage(row, isRunning).tone}
      data-selected={isSelected || undefined}
      data-flashing={isFlashing || undefined}
    >
      <UnstyledButton
        className={styles.photo}
        aria-label={`Images of ${title ?? row.certNumber}`}
        onClick={() => onOpen(row, "photos")}
      >
        <Thumb row={row} side={pictureOf(row, "front") === null ? "back" : "front"} cssWidth={PHOTO_CSS_WIDTH} />
      </UnstyledButton>
      <span className={styles.tools}>
        <RowCheckbox row={row} tabIndex={0} isSelected={isSelected} onSelect={onSelect} />
      </span>
      <Stack gap={3} flex={1} miw={0} fz="md" className={styles.message}>
        <CardButton row={row} className={styles.title} tabIndex={0} onOpen={onOpen} />
        <RowState row={row} context={context} />
        {rowRemarks(row)
          .filter(({ kind }) => kind !== "differs" || rowMessage(row, isRunning).label !== null)
          .map(({ kind, message }) => (
            <Text key={message} fz="xs" lh={1.35} className={tones.remark ?? ""} data-kind={kind}>
              {message}
            </Text>
          ))}
        <Stack gap={6} mt="auto" className={styles.facts}>
          <Certification row={row} tabIndex={0} context={context} />
          <Group gap={10}>
            {row.grade !== NOT_AVAILABLE && <GradeChip grade={row.grade} />}
            <ByHandTag row={row} />
            {populationMessage(row) !== null && <Population row={row} />}
            <span className={styles.price}>
              <Text span fz="xs" fw={400} c="dimmed">
                cost{" "}
              </Text>
              <Price row={row} />
            </span>
          </Group>
        </Stack>
        <CardPrices row={row} context={prices} />
        {!review.isOn && (canRetry(row) || (isByHand(row) && !isEnteredHere(row))) && (
          <Button
            size="compact-xs"
            mih={44}
            px={12}
            me="auto"
            aria-label={`Retry ${row.certNumber}`}
            onClick={() => onRetry(row)}
          >
            Retry
          </Button>
        )}
      </Stack>
      {review.isOn && <ReviewCard row={row} review={review} />}
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
