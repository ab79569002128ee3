import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { ActionIcon, Button, Group, Tooltip, UnstyledButton } from "@mantine/core";
import {
  IconArrowsExchange,
  IconChevronDown,
  IconChevronUp,
  IconLink,
  IconZoomIn,
  IconZoomOut,
} from "@tabler/icons-react";
import { ChoiceBar } from "../../ui/form/ChoiceBar.tsx";
import { CertLink, SlabFacts } from "../row/DrawerParts.tsx";
import { imageFlagMessage, SIDE_NAMES, SIDES } from "../row/image-messages.ts";
import { canSwap, rowRemarks } from "../row/row-messages.ts";
import styles from "./ImageDialog.module.css";
import { isZoomed, LARGEST_SCALE, zoomPercent } from "./picture-view.ts";
import type { DialogPart } from "./use-dialog-keys.ts";

const ICON = { size: 16, "aria-hidden": true } as const;
const CHOICES = SIDES.map((side) => ({ value: side, label: SIDE_NAMES[side] }));

/** The dialog's footer: card details and picture actions. */
export function DialogFoot({ row, dialog: { onPrevious, onNext }, side, onSide, zoom, actions }: DialogPart) {
  return (
    <div className={styles.foot}>
      <div className={styles.tools}>
        <ChoiceBar label="Side" size="md" choices={CHOICES} value={side} onChange={onSide} />
        <ZoomTools side={side} zoom={zoom} />
        <Button
          size="xs"
          leftSection={<IconArrowsExchange {...ICON} />}
          disabled={!canSwap(row)}
          aria-busy={actions.swapping.has(row.id)}
          onClick={() => actions.swap(row)}
        >
          Swap images
        </Button>
        <Group gap={8} ms="auto" wrap="nowrap">
          <Button size="xs" onClick={() => actions.onHistory(row)}>
            Why?
          </Button>
          <Button size="xs" px={8} aria-label="Previous card" disabled={!onPrevious} onClick={onPrevious}>
            <IconChevronUp {...ICON} />
          </Button>
          <Button size="xs" px={8} aria-label="Next card" disabled={!onNext} onClick={onNext}>
            <IconChevronDown {...ICON} />
          </Button>
        </Group>
      </div>
      <Group gap={8} fz="md">
        <SlabFacts row={row} />
        {row.certUrl !== null && row.certUrl !== NOT_AVAILABLE && <CertLink href={row.certUrl} />}
      </Group>
      <Remarks row={row} />
    </div>
  );
}

/** Zoom buttons for the chosen side: in, out, fit, and link both sides. */
function ZoomTools({ side, zoom }: Pick<DialogPart, "side" | "zoom">) {
  const view = zoom.views[side];
  return (
    <fieldset className={styles.zoom} aria-label={`Zoom of the ${side}`}>
      <ActionIcon size={28} aria-label="Zoom out" disabled={!isZoomed(view)} onClick={zoom.smaller}>
        <IconZoomOut {...ICON} />
      </ActionIcon>
      <UnstyledButton
        className={styles.percent ?? ""}
        aria-label={`${zoomPercent(view)} %, show the whole ${side}`}
        aria-disabled={!isZoomed(view)}
        onClick={zoom.fit}
      >
        {zoomPercent(view)} %
      </UnstyledButton>
      <ActionIcon size={28} aria-label="Zoom in" disabled={view.scale >= LARGEST_SCALE} onClick={zoom.larger}>
        <IconZoomIn {...ICON} />
      </ActionIcon>
      <Tooltip label="Zoom and move both sides together">
        <ActionIcon
          size={28}
          variant={zoom.isLinked ? "light" : "subtle"}
          aria-label="Zoom both sides together"
          aria-pressed={zoom.isLinked}
          onClick={zoom.toggleLink}
        >
          <IconLink {...ICON} />
        </ActionIcon>
      </Tooltip>
    </fieldset>
  );
}

/** The row's failure, picture problems, sheet differences and repairs. */
function Remarks({ row }: { row: ResultRow }) {
  const remarks = [
    ...(row.error === null ? [] : [{ kind: "failure", message: row.error }]),
    ...imageFlagMessage(row).map((message) => ({ kind: "picture", message })),
    ...rowRemarks(row).filter(({ kind }) => kind !== "picture"),
  ];
  return (
    remarks.length > 0 && (
      <ul className={styles.remarks} aria-label="Remarks">
        {remarks.map(({ kind, message }) => (
          <li key={message} data-kind={kind}>
            {message}
          </li>
        ))}
      </ul>
    )
  );
}
