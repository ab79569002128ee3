import "@mantine/core/styles/Menu.layer.css";
import { LARGEST_PHOTO_BYTES } from "@slabdesk/contract/api/photos.ts";
import type { ImageSide } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { ActionIcon, Box, Button, Group, Loader, Menu, Stack, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { useFileDialog, useMediaQuery } from "@mantine/hooks";
import {
  IconArrowsExchange,
  IconCamera,
  IconChevronDown,
  IconLink,
  IconMinimize,
  IconPhotoUp,
  IconRestore,
  IconZoomIn,
  IconZoomOut,
} from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useFileDrop } from "../../ui/files/use-file-drop.ts";
import { ChoiceBar } from "../../ui/form/ChoiceBar.tsx";
import { useEver } from "../../ui/lazy-part.tsx";
import { Tag } from "../../ui/Tag.tsx";
import type { CardActions } from "../use-card-dialog.ts";
import { CARD_WIDTH, hasOwnPhoto, imageSource, SIDE_NAMES, SIDES, storedUrlOf, thumbnailSource } from "../images.ts";
import { canSwap } from "../row-messages.ts";
import { isZoomed, LARGEST_SCALE, zoomPercent } from "./image-view.ts";
import { PhotoCamera } from "./PhotoCamera.tsx";
import { formatSize, PHOTO_FILE } from "./photo-messages.ts";
import styles from "./Photos.module.css";
import type { PhotoStage } from "./use-photo-stage.ts";

const ICON = { size: 16, "aria-hidden": true } as const;
const IMAGE = { className: styles.layer, decoding: "async", draggable: false } as const;
const QUIET_BUTTON = { size: "compact-xs", variant: "subtle" } as const;
const CHOICES = SIDES.map((side) => ({ value: side, label: SIDE_NAMES[side] }));

type PhotosProps = { stage: PhotoStage; actions: Pick<CardActions, "onSwap" | "swapping"> };

/** Front and back: small beside the facts, or large with zoom. */
export function Photos({ stage, actions }: PhotosProps) {
  const { isLarge } = stage;
  return (
    <Stack
      component="section"
      aria-label="Photos"
      gap={isLarge ? 8 : 4}
      align={isLarge ? "stretch" : "flex-start"}
      // Beside the facts while small; above them while large.
      style={{ gridColumn: isLarge ? "1 / -1" : undefined }}
      data-large={isLarge || undefined}
    >
      <Group className={styles.pair ?? ""} align="stretch" justify="center" gap={isLarge ? 16 : 12} wrap="nowrap">
        {SIDES.map((side) => (
          <ImageFrame key={side} side={side} stage={stage} />
        ))}
      </Group>
      {isLarge ? (
        <ZoomBar stage={stage} actions={actions} />
      ) : (
        canSwap(stage.row) && <SwapButton stage={stage} actions={actions} />
      )}
    </Stack>
  );
}

function SwapButton({ stage: { row }, actions: { onSwap, swapping } }: PhotosProps) {
  return (
    <Button
      {...QUIET_BUTTON}
      leftSection={<IconArrowsExchange {...ICON} />}
      disabled={!canSwap(row)}
      aria-busy={swapping.has(row.id)}
      onClick={() => onSwap(row)}
    >
      Swap images
    </Button>
  );
}

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
          miw="3.6rem"
          fz="sm"
          lh="28px"
          ta="center"
          c={isZoomed(view) ? "inherit" : "dimmed"}
          style={{ fontVariantNumeric: "tabular-nums", cursor: isZoomed(view) ? undefined : "default" }}
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
      <Button {...QUIET_BUTTON} ms="auto" leftSection={<IconMinimize {...ICON} />} onClick={() => stage.onLarge(false)}>
        Smaller
      </Button>
    </Group>
  );
}

type SideProps = { side: ImageSide; stage: PhotoStage };

/** One side's frame, which supports enlarging, zoom, pan and photo drop, with a caption below. */
function ImageFrame({ side, stage }: SideProps) {
  const { row, zoom, isLarge, camera } = stage;
  const figure = useRef<HTMLElement>(null);
  const canHavePhoto = isFound(row);
  const isOver = useFileDrop(figure, canHavePhoto ? (files) => stage.take(side, files) : null);
  const work = stage.workOf(side);
  const hasCamera = camera === side;
  return (
    <Box component="figure" ref={figure} miw={0} data-chosen={(isLarge && side === stage.side) || undefined}>
      <div ref={zoom.frames[side]} className={styles.frame} data-zoomed={isZoomed(zoom.views[side]) || undefined}>
        <SlabImage side={side} stage={stage} />
        {!isLarge && storedUrlOf(row, side) !== null && (
          <button
            type="button"
            className={styles.enlarge}
            aria-label={`Enlarge the ${side}`}
            onClick={() => {
              stage.chooseSide(side);
              stage.onLarge(true);
            }}
          />
        )}
        {hasCamera && (
          <PhotoCamera
            side={side}
            onClose={stage.closeCamera}
            onTake={(photo) => {
              stage.closeCamera();
              stage.put(side, photo);
            }}
          />
        )}
        {work !== null && (
          <output className={styles.veil}>
            <Loader size="sm" aria-hidden="true" />
            {work}
          </output>
        )}
        {isOver && <div className={styles.veil}>Drop it here: it becomes the {side}</div>}
      </div>
      <Group component="figcaption" gap="0 8px" mih={30} c="dimmed" fz="xs" wrap={isLarge ? "nowrap" : "wrap"}>
        <span>{SIDE_NAMES[side]}</span>
        {hasOwnPhoto(row, side) && (
          <Tag tone="accent" variant="small">
            Own photo
          </Tag>
        )}
        {canHavePhoto && <PhotoMenu side={side} stage={stage} isBusy={work !== null || hasCamera} />}
      </Group>
    </Box>
  );
}

function PhotoMenu({ side, stage, isBusy }: SideProps & { isBusy: boolean }) {
  const { row, isLarge } = stage;
  // On a phone or tablet, the native camera app takes better photos than a web page.
  const hasTouch = useMediaQuery("(pointer: coarse)", undefined, { getInitialValueInEffect: false });
  const options = { ...PHOTO_FILE, onChange: (files: FileList | null): void => stage.take(side, files ?? []) };
  const file = useFileDialog(options);
  const shot = useFileDialog({ ...options, capture: "environment" });
  const hasImage = storedUrlOf(row, side) !== null;
  const message = hasImage ? "Use your own photo" : "Add your own photo";
  const verb = hasImage ? "Replace" : "Add";
  return (
    <Menu position="bottom-end" width={260} disabled={isBusy}>
      <Menu.Target>
        <Button
          {...QUIET_BUTTON}
          ms="auto"
          px={4}
          aria-disabled={isBusy}
          aria-label={isLarge ? `${message}: ${side}` : `${verb} the ${side} with your own photo`}
          rightSection={<IconChevronDown size={14} aria-hidden="true" />}
        >
          {isLarge ? message : verb}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPhotoUp {...ICON} />} onClick={file.open}>
          Choose a file…
        </Menu.Item>
        <Menu.Item leftSection={<IconCamera {...ICON} />} onClick={hasTouch ? shot.open : () => stage.openCamera(side)}>
          Use the camera
        </Menu.Item>
        {hasOwnPhoto(row, side) && (
          <Menu.Item leftSection={<IconRestore {...ICON} />} onClick={() => stage.put(side, null)}>
            Use the grader&apos;s image again
          </Menu.Item>
        )}
        <Text mt={4} p="6px 12px" c="dimmed" size="xs" style={{ borderTop: "1px solid var(--sd-line)" }}>
          {hasTouch ? "" : "Or drop a file on the image, or paste one with Ctrl+V. "}Up to{" "}
          {formatSize(LARGEST_PHOTO_BYTES)}.
        </Text>
      </Menu.Dropdown>
    </Menu>
  );
}

/** One side of a slab. Missing and broken images show a message in the same place. */
function SlabImage({ side, stage }: SideProps) {
  const source = imageSource(stage.row, side, CARD_WIDTH);
  if (source === null) return isFound(stage.row) && <p className={styles.note}>No {side} image</p>;
  return <Layers key={source} source={source} side={side} stage={stage} />;
}

/** The table's cached thumbnail, blurred until the card's image is loaded; the full size once the user zooms in. */
function Layers({ source, side, stage: { row, zoom } }: SideProps & { source: string }) {
  const view = zoom.views[side];
  const full = imageSource(row, side);
  const wantsFull = useEver(isZoomed(view));
  const [isFullShown, setFullShown] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  const thumbnail = thumbnailSource(row, side);
  const tryAgain = (): void => {
    setAttempt(attempt + 1);
    setState("loading");
  };
  if (state === "failed")
    return (
      <output className={styles.note}>
        The {side} image could not be loaded
        <Button size="xs" onClick={tryAgain}>
          Try again
        </Button>
      </output>
    );
  return (
    <>
      <div
        className={styles.canvas}
        data-held={zoom.isHeld || undefined}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
      >
        {state === "loading" && thumbnail !== null && (
          <img className={styles.layer} src={thumbnail} alt="" draggable={false} data-small />
        )}
        <img
          {...IMAGE}
          src={attempt === 0 ? source : `${source}&attempt=${attempt}`}
          alt={`${SIDE_NAMES[side]} of ${row.itemName ?? row.certNumber}`}
          data-shown={state === "shown" || undefined}
          onLoad={() => setState("shown")}
          onError={() => setState("failed")}
        />
        {wantsFull && full !== null && (
          <img {...IMAGE} src={full} alt="" data-shown={isFullShown || undefined} onLoad={() => setFullShown(true)} />
        )}
      </div>
      {state === "loading" && <Loader pos="absolute" size="sm" aria-label={`Loading the ${side}`} />}
    </>
  );
}
