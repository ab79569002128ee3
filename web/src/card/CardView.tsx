import "@mantine/core/styles/Drawer.layer.css";
import { type ResultRow, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import { canEnter, isError } from "@slabdesk/contract/review/row-state.ts";
import { ActionIcon, Box, Button, CloseButton, Drawer, Group, Stack, Text } from "@mantine/core";
import { VisuallyHidden } from "../ui/text/VisuallyHidden.tsx";
import { useWindowEvent } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { CopyLinkButton } from "../place/CopyLinkButton.tsx";
import type { RowsSnapshot } from "../run/rows-store.ts";
import { deleteRow } from "../run/session-requests.ts";
import { useAction } from "../api/use-action.ts";
import { confirmDialog } from "../ui/confirm-dialog.tsx";
import { formatCount } from "../ui/format-numbers.ts";
import { toast } from "../ui/toast.tsx";
import { isControl, isTyping } from "../ui/use-page-keys.ts";
import { CardFacts, CardState, originOf } from "./CardFacts.tsx";
import { CertLink } from "./CardParts.tsx";
import { ByHandTag, CompanyTag, GradeChip } from "./chips.tsx";
import styles from "./CardView.module.css";
import { EntrySection } from "./entry/EntrySection.tsx";
import { ProvenanceSections } from "./history/ProvenanceSections.tsx";
import { Photos } from "./photos/Photos.tsx";
import { type PhotoStage, usePhotoStage } from "./photos/use-photo-stage.ts";
import { cardName } from "./prices/market-state.ts";
import { MarketSection } from "./prices/MarketSection.tsx";
import { rowActions } from "./row-actions.ts";
import type { CardActions, CardDialog } from "./use-card-dialog.ts";
import { CostAndOffer } from "./CostAndOffer.tsx";

type CardViewProps = { dialog: CardDialog; shown: RowsSnapshot; actions: CardActions };
type CardProps = CardViewProps & { row: ResultRow };

/**
 * One card, whole, beside the table: photos, facts, cost and notes, market, earlier lookups, history. The table stays
 * usable. Up and Down show its other rows; Esc closes. The dialog restores the focus. Loaded when first opened.
 */
export function CardView(props: CardViewProps) {
  const { row } = props.dialog;
  // The last row stays while the panel slides away.
  const [last, setLast] = useState(row);
  if (row !== null && row !== last) setLast(row);
  const shownRow = row ?? last;
  return shownRow && <CardPanel row={shownRow} {...props} />;
}

function CardPanel(card: CardProps) {
  const { row, dialog, actions } = card;
  const { part, open, close } = dialog;
  // A failed row has no place for photos; the form for a card entered by hand has its own.
  const hasPhotos = !isError(row);
  const stage = usePhotoStage({
    row,
    isLarge: hasPhotos && part === "photos",
    onLarge: (isLarge) => open(row, isLarge ? "photos" : null),
  });
  const onKeyDown = useCardKeys(row, stage, dialog, actions);
  return (
    <Drawer.Root
      opened={dialog.row !== null}
      onClose={close}
      onExitTransitionEnd={dialog.onClosed}
      position="right"
      styles={{ content: { display: "flex", flexDirection: "column", overflow: "hidden", outline: "none" } }}
      size={stage.isLarge ? "min(100vw, 64rem)" : "min(100vw, 40rem)"}
      closeOnEscape={false}
      closeOnClickOutside={false}
      lockScroll={false}
      returnFocus={false}
      transitionProps={{ duration: 140 }}
      onKeyDown={onKeyDown}
      onPaste={(event) => stage.take(stage.side, event.clipboardData.files)}
    >
      <Drawer.Content data-card>
        <CardHead {...card} />
        <CardBody {...card} stage={hasPhotos ? stage : null} />
        <CardFoot {...card} />
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** The keys of large photos, of stepping through the table, and of a row. Esc closes the card, also from the table. */
function useCardKeys(row: ResultRow, stage: PhotoStage, dialog: CardDialog, actions: CardActions) {
  const { onPrevious, onNext, close } = dialog;
  const isOpen = dialog.row !== null;
  const steps: Readonly<Record<string, (() => void) | undefined>> = {
    arrowup: onPrevious,
    k: onPrevious,
    arrowdown: onNext,
    j: onNext,
  };
  const takes = (key: string, target: EventTarget | null): boolean => {
    if (stage.onKey(key)) return true;
    if (key in steps) {
      steps[key]?.();
      return true;
    }
    if (key !== " ") return key.length === 1 && actions.onRowKey(key, row);
    if (isControl(target)) return false;
    stage.onLarge(!stage.isLarge);
    return true;
  };
  const onKey = (event: KeyboardEvent): void => {
    const { defaultPrevented, ctrlKey, metaKey, altKey, key, target } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey || isTyping(target)) return;
    if (takes(key.toLowerCase(), target)) event.preventDefault();
  };
  // The focus is nowhere after its button has disappeared.
  useWindowEvent("keydown", (event) => {
    if (isOpen && event.target === document.body && document.querySelector(IN_FRONT) === null) onKey(event);
  });
  // In the capture phase, what is in front is still open.
  useWindowEvent(
    "keydown",
    ({ key, isComposing, target }) => {
      if (!isOpen || key !== "Escape" || isComposing || !(target instanceof Element)) return;
      if (target.closest(IN_FRONT) || document.querySelector(IN_FRONT) || keepsEscape(target)) return;
      if (stage.camera === null) close();
      else stage.closeCamera();
    },
    { capture: true },
  );
  return ({ nativeEvent }: ReactKeyboardEvent): void => onKey(nativeEvent);
}

/** Other dialogs, and menus. */
const IN_FRONT = '[role="dialog"]:not([data-card]), [role="menu"]';

/** True for a field that is being typed in, and for any other field outside the card. */
const keepsEscape = (target: Element): boolean =>
  target.hasAttribute("data-keeps-escape") || (isTyping(target) && target.closest("[data-card]") === null);

/** `stage` is null if the card has no place for photos. */
function CardBody({ row, dialog, shown, actions, stage }: CardProps & { stage: PhotoStage | null }) {
  const body = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  // A focused button that disappears with its row must not take the keyboard away from the card.
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  });
  const entersCard = dialog.part === "entry" && canEnter(row);
  const origin = originOf(row);
  return (
    <Box ref={body} flex={1} px="var(--sd-gutter)" style={{ overflowY: "auto", overscrollBehavior: "contain" }}>
      <ScrollToPart key={row.id} part={dialog.part} body={body} />
      <div className={styles.top} data-photos={stage !== null || undefined}>
        {stage && <Photos stage={stage} actions={actions} />}
        <Stack gap={8} miw={0}>
          <Drawer.Title
            ref={title}
            fz="1.125rem"
            lh={1.25}
            lts="-0.015em"
            style={{ outline: "none", overflowWrap: "anywhere" }}
            tabIndex={-1}
            data-autofocus={!entersCard || undefined}
          >
            {cardName(row)}
          </Drawer.Title>
          {origin !== "" && <Text c="dimmed">{origin}</Text>}
          <CardState row={row} isRunning={actions.isRunning} reasons={actions.reasonsOf(row)} />
          <CardFacts row={row} />
        </Stack>
      </div>
      {entersCard && <EntrySection row={row} shown={shown} dialog={dialog} onRetry={actions.onRetry} />}
      <CostAndOffer key={row.id} row={row} actions={actions} />
      <div data-part="market">
        <MarketSection row={row} actions={actions} />
      </div>
      <div data-part="history">
        <ProvenanceSections row={row} isRunning={actions.isRunning} />
      </div>
    </Box>
  );
}

/** Scrolls to the part that was asked for. Renders nothing; its key is the row, so that each row scrolls once. */
function ScrollToPart({ part, body }: { part: CardDialog["part"]; body: RefObject<HTMLDivElement | null> }) {
  useEffect(() => {
    if (part === null) return;
    const place = body.current?.querySelector(`[data-part="${part}"]`);
    if (place) place.scrollIntoView({ block: "start" });
    else body.current?.scrollTo({ top: 0 });
  }, [part, body]);
  return null;
}

function CardHead({ row, dialog }: CardProps) {
  const { position, count, onPrevious, onNext, close } = dialog;
  const place = position === null ? "Not in this filter" : `${formatCount(position)} of ${formatCount(count)}`;
  return (
    <Group className={styles.bar ?? ""} component="header" role="presentation" gap={10} wrap="nowrap">
      <Group gap="4px 10px" flex={1} miw={0}>
        <CompanyTag company={row.gradingCompany} />
        <span style={{ fontVariantNumeric: "tabular-nums" }}>{row.certNumber}</span>
        {row.grade !== NOT_AVAILABLE && <GradeChip grade={row.grade} />}
        <ByHandTag row={row} />
        {row.certUrl !== null && row.certUrl !== NOT_AVAILABLE && <CertLink href={row.certUrl}>View Cert</CertLink>}
      </Group>
      <Text component="output" fz="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
        {place}
        <VisuallyHidden>: {cardName(row)}</VisuallyHidden>
      </Text>
      <CopyLinkButton session={row.sessionId} row={row.id} size={32} variant="default" />
      {[
        { label: "Previous card", step: onPrevious, Icon: IconChevronUp },
        { label: "Next card", step: onNext, Icon: IconChevronDown },
      ].map(({ label, step, Icon }) => (
        <ActionIcon key={label} size={32} variant="default" aria-label={label} aria-disabled={!step} onClick={step}>
          <Icon size={16} aria-hidden="true" />
        </ActionIcon>
      ))}
      <CloseButton size={32} aria-label="Close the card" onClick={close} />
    </Group>
  );
}

/** What can be done with the row. Stays at the bottom while the rest scrolls. */
function CardFoot({ row, dialog, actions }: CardProps) {
  const offered = rowActions(row, { ...actions, onOpen: dialog.open });
  return (
    <Group className={styles.bar ?? ""} gap={8} style={{ borderTop: "1px solid var(--sd-line)" }}>
      {offered
        .filter(({ key }) => key !== "H" || dialog.part !== "entry")
        .map(({ label, run }) => (
          <Button key={label} size="xs" onClick={run}>
            {label}
          </Button>
        ))}
      {row.certNumber !== "" && (
        <Button size="xs" onClick={() => actions.onRowKey("c", row)}>
          Copy number
        </Button>
      )}
      <RemoveButton row={row} dialog={dialog} />
    </Group>
  );
}

function RemoveButton({ row, dialog }: Pick<CardProps, "row" | "dialog">) {
  const { run, isBusy } = useAction<ResultRow>({
    send: deleteRow,
    failure: ({ line }) => ({ id: "remove-row", title: `Couldn't remove line ${line}` }),
    onDone: (_, { line }) => toast.done({ id: "remove-row", message: `Removed line ${line}` }),
  });
  const remove = async (): Promise<void> => {
    const isSure = await confirmDialog({
      title: `Remove line ${row.line} from this session?`,
      message: `${row.certNumber || "The row"} with its prices, photos and notes is deleted. Your file and the other rows stay.`,
      confirmLabel: "Remove row",
      isDestructive: true,
    });
    if (!isSure) return;
    (dialog.onNext ?? dialog.onPrevious ?? dialog.close)();
    run(row);
  };
  return (
    <Button size="xs" ms="auto" variant="subtle" color="bad" aria-disabled={isBusy} onClick={() => void remove()}>
      Remove row
    </Button>
  );
}
