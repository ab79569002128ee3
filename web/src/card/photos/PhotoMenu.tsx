import "@mantine/core/styles/Menu.layer.css";
import { LARGEST_PHOTO_BYTES, PHOTO_TYPES } from "@slabdesk/contract/api/photos.ts";
import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button, Menu, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconCamera, IconChevronDown, IconPhotoUp, IconRestore } from "@tabler/icons-react";
import { type ChangeEvent, useRef } from "react";
import { hasOwnPhoto, pictureOf } from "../image-messages.ts";
import { formatSize } from "./photo-messages.ts";
import type { OwnPhotos } from "./use-own-photos.ts";

const ICON = { size: 16, "aria-hidden": true } as const;

type PhotoMenuProps = {
  row: ResultRow;
  side: ImageSide;
  photos: OwnPhotos;
  /** Leaves out the words that the picture beside it makes clear. */
  isShort: boolean;
  isBusy: boolean;
  onCamera: () => void;
};

/** Menu to replace a side's picture with a photo, or to restore the grader's picture. */
export function PhotoMenu({ row, side, photos, isShort, isBusy, onCamera }: PhotoMenuProps) {
  const file = useRef<HTMLInputElement>(null);
  const shot = useRef<HTMLInputElement>(null);
  // On a phone or tablet, the native camera app takes better photos than a web page.
  const hasTouch = useMediaQuery("(pointer: coarse)", undefined, { getInitialValueInEffect: false });
  const onChosen = (event: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = event.currentTarget.files ?? [];
    event.currentTarget.value = "";
    if (chosen) photos.put(row, side, chosen);
  };
  const hasPicture = pictureOf(row, side) !== null;
  const message = hasPicture ? "Use your own photo" : "Add your own photo";
  const verb = hasPicture ? "Replace" : "Add";
  const inputProps = { type: "file", hidden: true, accept: PHOTO_TYPES.join(","), onChange: onChosen } as const;
  return (
    <>
      <Menu position="bottom-end" width={260} disabled={isBusy}>
        <Menu.Target>
          <Button
            size="compact-xs"
            variant="subtle"
            ms="auto"
            px={4}
            aria-disabled={isBusy}
            aria-label={isShort ? `${verb} the ${side} with your own photo` : `${message}: ${side}`}
            rightSection={<IconChevronDown size={14} aria-hidden="true" />}
          >
            {isShort ? verb : message}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPhotoUp {...ICON} />} onClick={() => file.current?.click()}>
            Choose a file…
          </Menu.Item>
          <Menu.Item leftSection={<IconCamera {...ICON} />} onClick={hasTouch ? () => shot.current?.click() : onCamera}>
            Use the camera
          </Menu.Item>
          {hasOwnPhoto(row, side) && (
            <Menu.Item leftSection={<IconRestore {...ICON} />} onClick={() => photos.restore(row, side)}>
              Use the grader&apos;s picture again
            </Menu.Item>
          )}
          <Text mt={4} p="6px 12px" c="dimmed" size="xs" style={{ borderTop: "1px solid var(--sd-line)" }}>
            {hasTouch ? "" : "Or drop a file on the picture, or paste one with Ctrl+V. "}Up to{" "}
            {formatSize(LARGEST_PHOTO_BYTES)}.
          </Text>
        </Menu.Dropdown>
      </Menu>
      <input ref={file} {...inputProps} data-photo={side} />
      <input ref={shot} {...inputProps} capture="environment" />
    </>
  );
}
