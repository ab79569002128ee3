import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { canEnter, isError } from "@slabdesk/contract/review/row-state.ts";
import { ActionIcon, CloseButton, Drawer, Group, Text, VisuallyHidden } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { CopyLinkButton } from "../place/CopyLinkButton.tsx";
import type { RowsSnapshot } from "../run/rows-store.ts";
import { formatCount } from "../ui/format-numbers.ts";
import { hasModifier } from "../ui/grid-keys.ts";
import { isTyping } from "../ui/use-page-keys.ts";
import type { CardActions } from "./card-actions.ts";
import { CardFacts, CardState, originOf } from "./CardFacts.tsx";
import { CardFoot } from "./CardFoot.tsx";
import { CertLink, SlabFacts } from "./CardParts.tsx";
import styles from "./CardView.module.css";
import { EntrySection } from "./entry/EntrySection.tsx";
import { ProvenanceSections } from "./history/ProvenanceSections.tsx";
import { Photos } from "./photos/Photos.tsx";
import { usePhotoStage } from "./photos/use-photo-stage.ts";
import { cardName } from "./prices/market-state.ts";
import { MarketSection } from "./prices/MarketSection.tsx";
import type { CardDialog } from "./use-card-dialog.ts";
import { YourSide } from "./YourSide.tsx";

type CardViewProps = { dialog: CardDialog; shown: RowsSnapshot; actions: CardActions };

/**
 * One card, whole, beside the table: photos, facts, cost and notes, market, earlier lookups, history. The table stays
 * usable. Up and Down show its other rows; Esc closes. The dialog restores the focus. Loaded when first opened.
 */
export function CardView({ dialog, shown, actions }: CardViewProps) {
  // True while something inside handles Escape first.
  const [isBusy, setBusy] = useState(false);
  const { row, part, close } = dialog;
  return (
    <Drawer.Root
      opened={row !== null}
      onClose={close}
      position="right"
      classNames={{ content: styles.panel }}
      size={part === "photos" ? "min(100vw, 64rem)" : "min(100vw, 40rem)"}
      closeOnEscape={!isBusy}
      closeOnClickOutside={false}
      lockScroll={false}
      returnFocus={false}
      transitionProps={{ duration: 140 }}
    >
      <Drawer.Content>
        {row && <Card row={row} dialog={dialog} shown={shown} actions={actions} onBusy={setBusy} />}
      </Drawer.Content>
    </Drawer.Root>
  );
}

type CardProps = CardViewProps & { row: ResultRow; onBusy: (isBusy: boolean) => void };

function Card({ row, dialog, shown, actions, onBusy }: CardProps) {
  const { part, open, onPrevious, onNext } = dialog;
  // A failed row has no place for photos; the form for a card entered by hand has its own.
  const hasPhotos = !isError(row);
  const stage = usePhotoStage({
    row,
    isLarge: hasPhotos && part === "photos",
    onLarge: (isLarge) => open(row, isLarge ? "photos" : null),
  });
  useEffect(() => {
    onBusy(stage.isBusy);
    return () => onBusy(false);
  }, [stage.isBusy, onBusy]);
  const body = useScrollToPart(row.id, part);
  const panel = useRef<HTMLDivElement>(null);
  // A focused button that disappears with its row must not take the keyboard away from the card.
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || hasModifier(event) || isTyping(event.target)) return;
    const key = event.key.toLowerCase();
    const steps: Record<string, (() => void) | undefined> = {
      arrowup: onPrevious,
      k: onPrevious,
      arrowdown: onNext,
      j: onNext,
      ...(!isControl(event.target) && { " ": () => stage.onLarge(!stage.isLarge), enter: () => undefined }),
    };
    const takes = (): boolean => {
      if (stage.onKey(key)) return true;
      if (key in steps) {
        steps[key]?.();
        return true;
      }
      return key.length === 1 && key !== " " && actions.onRowKey(key, row);
    };
    if (takes()) event.preventDefault();
  };
  const entersCard = part === "entry" && canEnter(row);
  return (
    <div
      ref={panel}
      className={styles.card}
      tabIndex={-1}
      data-autofocus={!entersCard || undefined}
      onKeyDown={onKeyDown}
      onPaste={(event) => stage.onPaste(event.clipboardData.files)}
    >
      <CardHead row={row} dialog={dialog} />
      <div ref={body} className={styles.body}>
        <div className={styles.top} data-photos={hasPhotos || undefined}>
          {hasPhotos && <Photos stage={stage} actions={actions} />}
          <div className={styles.about}>
            <Drawer.Title className={styles.title ?? ""}>{cardName(row)}</Drawer.Title>
            {originOf(row) !== "" && (
              <Text c="dimmed" fz="md">
                {originOf(row)}
              </Text>
            )}
            <CardState row={row} isRunning={actions.isRunning} reasons={actions.reasonsOf(row)} />
            <CardFacts row={row} />
          </div>
        </div>
        {entersCard && <EntrySection row={row} shown={shown} dialog={dialog} onRetry={actions.onRetry} />}
        <YourSide key={row.id} row={row} actions={actions} />
        <div data-part="market">
          <MarketSection row={row} actions={actions} />
        </div>
        <div data-part="history">
          <ProvenanceSections row={row} isRunning={actions.isRunning} />
        </div>
      </div>
      <CardFoot row={row} dialog={dialog} actions={actions} />
    </div>
  );
}

/** Which card it is, its place in the table, and the ways to its neighbors and out. */
function CardHead({ row, dialog }: { row: ResultRow; dialog: CardDialog }) {
  const { position, count, onPrevious, onNext, close } = dialog;
  const place = position === null ? "Not in this filter" : `${formatCount(position)} of ${formatCount(count)}`;
  return (
    <Group className={styles.head ?? ""} component="header" role="presentation" gap={10} wrap="nowrap">
      <Group gap="4px 10px" flex={1} miw={0}>
        <SlabFacts row={row} />
        {row.certUrl !== null && row.certUrl !== NOT_AVAILABLE && <CertLink href={row.certUrl} />}
      </Group>
      <Text component="output" fz="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
        {place}
        <VisuallyHidden>: {cardName(row)}</VisuallyHidden>
      </Text>
      <CopyLinkButton session={row.sessionId} row={row.id} size={32} variant="default" />
      <ActionIcon
        size={32}
        variant="default"
        aria-label="Previous card"
        aria-disabled={!onPrevious}
        onClick={onPrevious}
      >
        <IconChevronUp size={16} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon size={32} variant="default" aria-label="Next card" aria-disabled={!onNext} onClick={onNext}>
        <IconChevronDown size={16} aria-hidden="true" />
      </ActionIcon>
      <CloseButton size={32} aria-label="Close the card" onClick={close} />
    </Group>
  );
}

/** Scrolls to the part that was asked for, once per row and part. */
function useScrollToPart(rowId: string, part: CardDialog["part"]) {
  const body = useRef<HTMLDivElement>(null);
  const scroll = useEffectEvent(() => {
    if (part === null) return;
    const place = body.current?.querySelector(`[data-part="${part}"]`);
    if (place) place.scrollIntoView({ block: "start" });
    else body.current?.scrollTo({ top: 0 });
  });
  useEffect(() => scroll(), [rowId, part]);
  return body;
}

/** True for elements that Enter or Space activates. */
function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button, summary, input") !== null;
}
