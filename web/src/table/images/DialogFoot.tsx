import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import {
  IconArrowsExchange,
  IconChevronDown,
  IconChevronUp,
  IconExternalLink,
  IconLink,
  IconZoomIn,
  IconZoomOut,
} from "@tabler/icons-react";
import { ChoiceBar } from "../../ui/form/ChoiceBar.tsx";
import { CompanyTag, GradeChip } from "../row/cells.tsx";
import { imageFlagMessage, SIDE_NAMES, SIDES } from "../row/image-messages.ts";
import { canSwap, rowRemarks } from "../row/row-messages.ts";
import type { RowView } from "../use-row-views.ts";
import styles from "./ImageDialog.module.css";
import type { ImageTools } from "./image-tools.ts";
import { isZoomed, LARGEST_SCALE, zoomPercent } from "./picture-view.ts";
import type { Zoom } from "./use-zoom.ts";

const ICON = { size: 16, "aria-hidden": true } as const;
const CHOICES = SIDES.map((side) => ({ value: side, label: SIDE_NAMES[side] }));

type DialogFootProps = {
  row: ResultRow;
  view: RowView;
  side: ImageSide;
  onSide: (side: ImageSide) => void;
  zoom: Zoom;
  tools: ImageTools;
};

/** The dialog's footer: card details and picture tools. */
export function DialogFoot({ row, view, side, onSide, zoom, tools }: DialogFootProps) {
  const { onPrevious, onNext } = view;
  return (
    <div className={styles.foot}>
      <div className={styles.tools}>
        <ChoiceBar label="Side" size="md" choices={CHOICES} value={side} onChange={onSide} />
        <ZoomTools side={side} zoom={zoom} />
        <Button
          size="xs"
          leftSection={<IconArrowsExchange {...ICON} />}
          disabled={!canSwap(row)}
          aria-busy={tools.swapping.has(row.id)}
          onClick={() => tools.swap(row)}
        >
          Swap images
        </Button>
        <span className={styles.toolsEnd}>
          <Button size="xs" onClick={() => tools.onHistory(row)}>
            Why?
          </Button>
          <Button
            size="xs"
            className={styles.step ?? ""}
            aria-label="Previous card"
            disabled={!onPrevious}
            onClick={onPrevious}
          >
            <IconChevronUp {...ICON} />
          </Button>
          <Button size="xs" className={styles.step ?? ""} aria-label="Next card" disabled={!onNext} onClick={onNext}>
            <IconChevronDown {...ICON} />
          </Button>
        </span>
      </div>
      <div className={styles.facts}>
        <CompanyTag company={row.gradingCompany} />
        <span className={styles.number}>{row.certNumber}</span>
        {row.grade !== NOT_AVAILABLE && <GradeChip grade={row.grade} />}
        {row.certUrl !== null && row.certUrl !== NOT_AVAILABLE && (
          <a className={styles.link} href={row.certUrl} target="_blank" rel="noreferrer">
            View Cert <IconExternalLink size={14} aria-hidden="true" />
          </a>
        )}
      </div>
      <Remarks row={row} />
    </div>
  );
}

/** Zoom buttons for the chosen side: in, out, fit, and link both sides. */
function ZoomTools({ side, zoom }: { side: ImageSide; zoom: Zoom }) {
  const view = zoom.views[side];
  return (
    <fieldset className={styles.zoom} aria-label={`Zoom of the ${side}`}>
      <ActionIcon size={28} aria-label="Zoom out" disabled={!isZoomed(view)} onClick={zoom.smaller}>
        <IconZoomOut {...ICON} />
      </ActionIcon>
      <button
        type="button"
        className={styles.percent}
        aria-label={`${zoomPercent(view)} %, show the whole ${side}`}
        aria-disabled={!isZoomed(view)}
        onClick={zoom.fit}
      >
        {zoomPercent(view)} %
      </button>
      <ActionIcon size={28} aria-label="Zoom in" disabled={view.scale >= LARGEST_SCALE} onClick={zoom.larger}>
        <IconZoomIn {...ICON} />
      </ActionIcon>
      <Tooltip label="Zoom and move both sides together">
        <ActionIcon
          size={28}
          className={styles.linked ?? ""}
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
  const pictures = imageFlagMessage(row);
  const others = rowRemarks(row).filter(({ kind }) => kind !== "picture");
  if (row.error === null && pictures.length + others.length === 0) return null;
  return (
    <ul className={styles.remarks} aria-label="Remarks">
      {row.error !== null && <li>{row.error}</li>}
      {pictures.map((message) => (
        <li key={message} data-kind="picture">
          {message}
        </li>
      ))}
      {others.map(({ kind, message }) => (
        <li key={message} data-kind={kind}>
          {message}
        </li>
      ))}
    </ul>
  );
}
