import { ActionIcon, Button, Group, Tooltip, UnstyledButton } from "@mantine/core";
import { IconArrowsExchange, IconLink, IconMinimize, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { ChoiceBar } from "../../ui/form/ChoiceBar.tsx";
import type { CardActions } from "../card-actions.ts";
import { SIDE_NAMES, SIDES } from "../image-messages.ts";
import { canSwap } from "../row-messages.ts";
import styles from "./Photos.module.css";
import { PictureFrame } from "./PictureFrame.tsx";
import { isZoomed, LARGEST_SCALE, zoomPercent } from "./picture-view.ts";
import type { PhotoStage } from "./use-photo-stage.ts";

const ICON = { size: 16, "aria-hidden": true } as const;
const CHOICES = SIDES.map((side) => ({ value: side, label: SIDE_NAMES[side] }));

type PhotosProps = { stage: PhotoStage; actions: Pick<CardActions, "swap" | "swapping"> };

/** Front and back: small beside the facts, or large with zoom. */
export function Photos({ stage, actions }: PhotosProps) {
  return (
    <section aria-label="Photos" className={styles.photos} data-large={stage.isLarge || undefined}>
      <div className={styles.stage}>
        {SIDES.map((side) => (
          <PictureFrame key={side} side={side} stage={stage} />
        ))}
      </div>
      {stage.isLarge ? (
        <ZoomBar stage={stage} actions={actions} />
      ) : (
        canSwap(stage.row) && <SwapButton stage={stage} actions={actions} />
      )}
    </section>
  );
}

function SwapButton({ stage: { row }, actions: { swap, swapping } }: PhotosProps) {
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      leftSection={<IconArrowsExchange {...ICON} />}
      disabled={!canSwap(row)}
      aria-busy={swapping.has(row.id)}
      onClick={() => swap(row)}
    >
      Swap images
    </Button>
  );
}

/** The chosen side, its zoom, and the way back to the small pictures. */
function ZoomBar({ stage, actions }: PhotosProps) {
  const { side, zoom } = stage;
  const view = zoom.views[side];
  return (
    <Group gap={8}>
      <ChoiceBar label="Side" size="md" choices={CHOICES} value={side} onChange={stage.chooseSide} />
      <fieldset className={styles.zoom} aria-label={`Zoom of the ${side}`}>
        <ActionIcon size={28} aria-label="Zoom out" disabled={!isZoomed(view)} onClick={zoom.smaller}>
          <IconZoomOut {...ICON} />
        </ActionIcon>
        <UnstyledButton
          className={styles.percent ?? ""}
          aria-label={`${zoomPercent(view)}%, show the whole ${side}`}
          aria-disabled={!isZoomed(view)}
          onClick={zoom.fit}
        >
          {zoomPercent(view)}%
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
      <SwapButton stage={stage} actions={actions} />
      <Button
        size="compact-xs"
        variant="subtle"
        ms="auto"
        leftSection={<IconMinimize {...ICON} />}
        onClick={() => stage.onLarge(false)}
      >
        Smaller
      </Button>
    </Group>
  );
}
