import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { Button, Modal } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconArrowsExchange, IconChevronDown, IconChevronUp, IconExternalLink } from "@tabler/icons-react";
import { useState } from "react";
import { CompanyTag, GradeChip } from "./cells.tsx";
import styles from "./ImageDialog.module.css";
import { canSwap, rowRemarks, rowTitle } from "./row-words.ts";
import { SlabPicture } from "./SlabPicture.tsx";

const SIDES: readonly ImageSide[] = ["front", "back"];

type ImageDialogProps = {
  row: ResultRow | null;
  isSwapping: boolean;
  onClose: () => void;
  onSwap: (row: ResultRow) => void;
  /** Goes to the row before (-1) or after (1); undefined where there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
};

/** Front and back in full size. Up and down go from card to card, left and right choose the side, Esc closes. */
export function ImageDialog({ row, isSwapping, onClose, onSwap, onPrevious, onNext }: ImageDialogProps) {
  const [side, setSide] = useState<ImageSide>("front");
  const [isZoomed, setZoomed] = useState(false);

  // On the window: a button that was pressed last may have become disabled, and the focus with it nowhere.
  useWindowEvent("keydown", (event) => {
    if (row === null) return;
    const action = actionOf(event.key, {
      flip: () => setSide(side === "front" ? "back" : "front"),
      onPrevious,
      onNext,
    });
    if (!action) return;
    event.preventDefault();
    action();
  });
  return (
    <Modal
      opened={row !== null}
      onClose={onClose}
      size="auto"
      title={row ? (rowTitle(row) ?? row.certNumber) : ""}
      closeButtonProps={{ "aria-label": "Close" }}
      transitionProps={{ duration: 120 }}
    >
      {row && (
        <>
          <div className={styles.stage} data-zoomed={isZoomed || undefined}>
            {SIDES.map((name) => (
              <SlabPicture
                key={`${row.id}-${name}`}
                row={row}
                side={name}
                isChosen={name === side}
                isZoomed={isZoomed}
                onToggleZoom={() => {
                  setSide(name);
                  setZoomed(!isZoomed);
                }}
              />
            ))}
          </div>
          <DialogFoot
            row={row}
            side={side}
            onSide={setSide}
            isSwapping={isSwapping}
            onSwap={onSwap}
            onPrevious={onPrevious}
            onNext={onNext}
          />
        </>
      )}
    </Modal>
  );
}

type Actions = { flip: () => void; onPrevious: (() => void) | undefined; onNext: (() => void) | undefined };

function actionOf(key: string, { flip, onPrevious, onNext }: Actions): (() => void) | undefined {
  switch (key) {
    case "ArrowLeft":
    case "ArrowRight":
      return flip;
    case "ArrowUp":
      return onPrevious;
    case "ArrowDown":
      return onNext;
    default:
      return undefined;
  }
}

/** The row's story: what failed, where sheet and registry differ, what was put right. */
function Remarks({ row }: { row: ResultRow }) {
  const remarks = rowRemarks(row);
  if (row.error === null && remarks.length === 0) return null;
  return (
    <ul className={styles.remarks} aria-label="Remarks">
      {row.error !== null && <li>{row.error}</li>}
      {remarks.map(({ kind, words }) => (
        <li key={words} data-kind={kind}>
          {words}
        </li>
      ))}
    </ul>
  );
}

type DialogFootProps = Omit<ImageDialogProps, "row" | "onClose"> & {
  row: ResultRow;
  side: ImageSide;
  onSide: (side: ImageSide) => void;
};

function DialogFoot({ row, side, onSide, isSwapping, onSwap, onPrevious, onNext }: DialogFootProps) {
  return (
    <div className={styles.foot}>
      <div className={styles.facts}>
        <CompanyTag company={row.gradingCompany} />
        <span className={styles.number}>{row.certNumber}</span>
        <GradeChip grade={row.grade} />
        {row.certUrl !== null && row.certUrl !== NOT_AVAILABLE && (
          <a className={styles.link} href={row.certUrl} target="_blank" rel="noreferrer">
            View Cert <IconExternalLink size={14} aria-hidden="true" />
          </a>
        )}
      </div>
      <Remarks row={row} />
      <div className={styles.buttons}>
        <fieldset className={styles.sides} aria-label="Side">
          {SIDES.map((name) => (
            <button
              key={name}
              type="button"
              className={styles.side}
              aria-pressed={name === side}
              onClick={() => onSide(name)}
            >
              {name === "front" ? "Front" : "Back"}
            </button>
          ))}
        </fieldset>
        <Button
          size="xs"
          leftSection={<IconArrowsExchange className={styles.swapIcon} size={16} aria-hidden="true" />}
          disabled={!canSwap(row)}
          aria-busy={isSwapping}
          onClick={() => onSwap(row)}
        >
          Swap images
        </Button>
        <Button
          size="xs"
          className={styles.step ?? ""}
          aria-label="Previous card"
          disabled={!onPrevious}
          onClick={onPrevious}
        >
          <IconChevronUp size={16} aria-hidden="true" />
        </Button>
        <Button size="xs" className={styles.step ?? ""} aria-label="Next card" disabled={!onNext} onClick={onNext}>
          <IconChevronDown size={16} aria-hidden="true" />
        </Button>
      </div>
    </div>
  );
}
