import type { ImageSide } from "@slabdesk/contract/api/results.ts";
import { Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { SIDES } from "../row/image-messages.ts";
import { cardName } from "../prices/market-state.ts";
import type { RowDialog } from "../use-row-dialogs.ts";
import { DialogFoot } from "./DialogFoot.tsx";
import styles from "./ImageDialog.module.css";
import { PictureFrame } from "./PictureFrame.tsx";
import { type DialogPart, useDialogKeys } from "./use-dialog-keys.ts";
import { useOwnPhotos } from "./use-own-photos.ts";
import { useZoom } from "./use-zoom.ts";

const PHONE = "(max-width: 48em)";

type ImageDialogProps = Omit<DialogPart["actions"], "photos"> & { dialog: RowDialog };

/** Shows front and back of a card. Supports zoom, swap and replacement photos. Loaded when first opened. */
export function ImageDialog({ dialog, ...actions }: ImageDialogProps) {
  const { row, isOpen, close } = dialog;
  const photos = useOwnPhotos();
  const [wasLinked, setWasLinked] = useState(false);
  // True while something inside the dialog handles Escape first.
  const [isBusy, setBusy] = useState(false);
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size="auto"
      fullScreen={isPhone}
      centered={false}
      yOffset="4dvh"
      classNames={{ title: styles.title }}
      closeOnEscape={!isBusy}
      returnFocus={false}
      title={row ? cardName(row) : ""}
      transitionProps={{ duration: 120 }}
    >
      {row && (
        <DialogBody
          row={row}
          dialog={dialog}
          actions={{ ...actions, photos }}
          wasLinked={wasLinked}
          onLink={setWasLinked}
          onBusy={setBusy}
        />
      )}
    </Modal>
  );
}

type DialogBodyProps = Pick<DialogPart, "row" | "dialog" | "actions"> & {
  wasLinked: boolean;
  onLink: (isLinked: boolean) => void;
  onBusy: (isBusy: boolean) => void;
};

function DialogBody({ row, dialog, actions, wasLinked, onLink, onBusy }: DialogBodyProps) {
  const [side, setSide] = useState<ImageSide>("front");
  const [camera, setCamera] = useState<ImageSide | null>(null);
  const [hasMenu, setHasMenu] = useState(false);
  const [shownId, setShownId] = useState(row.id);
  const zoom = useZoom({ side, onChoose: setSide, wasLinked, onLink });
  if (shownId !== row.id) {
    setShownId(row.id);
    setCamera(null);
    zoom.reset();
  }
  useEffect(() => {
    onBusy(camera !== null || hasMenu);
    return () => onBusy(false);
  }, [camera, hasMenu, onBusy]);
  const closeCamera = (on: ImageSide): void => {
    setCamera(null);
    // The camera held the focus and is removed.
    zoom.frames[on].current?.parentElement?.querySelector<HTMLElement>("figcaption button")?.focus();
  };
  const onSide = (chosen: ImageSide): void => {
    setSide(chosen);
    zoom.frames[chosen].current?.scrollIntoView({ block: "nearest" });
  };
  const part = { row, dialog, side, onSide, zoom, actions };
  useDialogKeys(part, camera && (() => closeCamera(camera)));
  return (
    <>
      <div className={styles.stage}>
        {SIDES.map((name) => (
          <PictureFrame
            key={name}
            row={row}
            side={name}
            zoom={zoom}
            photos={actions.photos}
            isChosen={name === side}
            hasCamera={camera === name}
            onCamera={(isOpen) => (isOpen ? setCamera(name) : closeCamera(name))}
            onMenu={setHasMenu}
          />
        ))}
      </div>
      <DialogFoot {...part} />
    </>
  );
}
