import { PHOTO_TYPES } from "@slabdesk/contract/api/photos.ts";
import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { UnstyledButton } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useFileDrop } from "../../ui/files/use-file-drop.ts";
import { toast } from "../../ui/toast.tsx";
import { photoAmong, photoProblem } from "../photos/photo-messages.ts";
import { thumbnailSource } from "../photos/card-image.ts";
import { SIDE_NAMES } from "../image-messages.ts";
import styles from "./PhotoDrop.module.css";

type PhotoDropProps = {
  row: ResultRow;
  side: ImageSide;
  /** The chosen photo; null shows the row's picture, if any. */
  photo: File | null;
  onPhoto: (photo: File) => void;
};

const PREVIEW_CSS_WIDTH = 96;

/** A place to drop or choose a photo of one side. The form sends it. */
export function PhotoDrop({ row, side, photo, onPhoto }: PhotoDropProps) {
  const place = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => () => URL.revokeObjectURL(chosen ?? ""), [chosen]);
  const preview = chosen ?? thumbnailSource(row, side, PREVIEW_CSS_WIDTH);
  const take = (files: Iterable<File>): void => {
    const file = photoAmong(files);
    if (!file) return;
    const problem = photoProblem(file);
    if (problem !== null) {
      toast.error({ id: "photo-problem", title: "Couldn't save the photo", message: problem });
      return;
    }
    setChosen(URL.createObjectURL(file));
    onPhoto(file);
  };
  const isOver = useFileDrop(place, take);
  return (
    <>
      <UnstyledButton
        ref={place}
        type="button"
        className={styles.place ?? ""}
        data-over={isOver || undefined}
        onClick={() => input.current?.click()}
      >
        {preview !== null && <img className={styles.preview} src={preview} alt="" />}
        <span>
          {SIDE_NAMES[side]} photo: {photo?.name ?? (preview === null ? "drop or choose" : "replace")}
        </span>
      </UnstyledButton>
      <input
        ref={input}
        type="file"
        hidden
        accept={PHOTO_TYPES.join(",")}
        data-entry-photo={side}
        onChange={(event) => {
          take(event.currentTarget.files ?? []);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
