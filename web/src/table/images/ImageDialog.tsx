import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { Modal } from "@mantine/core";
import { useMediaQuery, useWindowEvent } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { SIDES } from "../row/image-messages.ts";
import { cardName } from "../prices/market-view.ts";
import { isTyping } from "../../ui/use-page-keys.ts";
import type { RowView } from "../use-row-views.ts";
import { dialogKeys } from "./dialog-keys.ts";
import { DialogFoot } from "./DialogFoot.tsx";
import type { ImageTools } from "./image-tools.ts";
import styles from "./ImageDialog.module.css";
import { photoAmong } from "./photo-messages.ts";
import { PictureFrame } from "./PictureFrame.tsx";
import { useZoom } from "./use-zoom.ts";

const PHONE = "(max-width: 48em)";

/** Shows front and back of a card. Supports zoom, swap and replacement photos. Loaded when first opened. */
export function ImageDialog({ view, tools }: { view: RowView; tools: ImageTools }) {
  const { row, isOpen, close } = view;
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
      closeButtonProps={{ "aria-label": "Close" }}
      transitionProps={{ duration: 120 }}
    >
      {row && (
        <DialogBody row={row} view={view} tools={tools} wasLinked={wasLinked} onLink={setWasLinked} onBusy={setBusy} />
      )}
    </Modal>
  );
}

type DialogBodyProps = {
  row: ResultRow;
  view: RowView;
  tools: ImageTools;
  wasLinked: boolean;
  onLink: (isLinked: boolean) => void;
  onBusy: (isBusy: boolean) => void;
};

function DialogBody({ row, view, tools, wasLinked, onLink, onBusy }: DialogBodyProps) {
  const { onPrevious, onNext } = view;
  const { photos } = tools;
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
  const choose = (chosen: ImageSide): void => {
    setSide(chosen);
    zoom.frames[chosen].current?.scrollIntoView({ block: "nearest" });
  };

  // Listens on the window, because the last button pressed may now be disabled and have lost the focus.
  useWindowEvent("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (camera !== null) {
      if (event.key === "Escape") closeCamera(camera);
      return;
    }
    const keys = dialogKeys({
      zoom,
      side,
      onChoose: choose,
      onPrevious,
      onNext,
      onSwap: () => tools.swap(row),
      onHistory: () => tools.onHistory(row),
    });
    const action = keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  // A file dropped outside a side must not replace the page.
  useWindowEvent("dragover", (event) => event.preventDefault());
  useWindowEvent("drop", (event) => event.preventDefault());
  useWindowEvent("paste", (event) => {
    const photo = photoAmong(event.clipboardData?.files ?? []);
    if (photo && isFound(row)) photos.put(row, side, photo);
  });
  return (
    <>
      <div className={styles.stage}>
        {SIDES.map((name) => (
          <PictureFrame
            key={name}
            row={row}
            side={name}
            frame={zoom.frames[name]}
            view={zoom.views[name]}
            zoom={zoom}
            photos={photos}
            isChosen={name === side}
            hasCamera={camera === name}
            onCamera={(isOpen) => (isOpen ? setCamera(name) : closeCamera(name))}
            onMenu={setHasMenu}
          />
        ))}
      </div>
      <DialogFoot row={row} view={view} side={side} onSide={choose} zoom={zoom} tools={tools} />
    </>
  );
}
