import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { logQuietly } from "../../../../api/quiet-log.ts";
import type { CameraProblem } from "../../../../ui/camera/camera-messages.ts";
import { type CameraStream, useCameraStream } from "../../../../ui/camera/use-camera-stream.ts";
import { type BarcodeReader, openBarcodeReader, type ReadCode } from "./barcode-reader.ts";
import { HeldCodes } from "./held-codes.ts";

export type CameraOptions = {
  video: RefObject<HTMLVideoElement | null>;
  /** What a code identifies; codes with the same meaning count as one. */
  meaningOf: (text: string) => string;
  onCode: (text: string) => void;
};

/** About eight reads per second suffice for hand movement and leave CPU time for the page. */
const LOOK_EVERY_MS = 120;

const PICTURE_SIZE = { width: 1280, height: 720 };

const READER_PROBLEM: CameraProblem = {
  title: "The code reader didn't load",
  advice: "Check the connection and open the camera again.",
};

export function useCamera({ video, meaningOf, onCode }: CameraOptions): CameraStream {
  const stream = useCameraStream({ video, size: PICTURE_SIZE, report: logQuietly });
  const [hasReader, setHasReader] = useState(true);
  const take = useEffectEvent((held: HeldCodes, codes: readonly ReadCode[]): void => {
    const seen = codes.map((code) => ({ ...code, meaning: meaningOf(code.text) }));
    for (const { text } of held.take(seen, performance.now())) onCode(text);
  });
  const isOpen = stream.kind === "open";
  useEffect(() => {
    const shown = video.current;
    if (!isOpen || !shown) return;
    const closing = new AbortController();
    const held = new HeldCodes();
    openBarcodeReader()
      .then((reader) => lookAround(reader, shown, (codes) => take(held, codes), closing.signal))
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        logQuietly("Reading the camera's codes failed", error);
        setHasReader(false);
      });
    return () => closing.abort();
  }, [isOpen, video]);
  return hasReader ? stream : { kind: "failed", problem: READER_PROBLEM };
}

async function lookAround(
  read: BarcodeReader,
  video: HTMLVideoElement,
  onCodes: (codes: readonly ReadCode[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    const codes = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ? await read(video) : [];
    if (isOver()) return;
    onCodes(codes);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
