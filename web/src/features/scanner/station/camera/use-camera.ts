import { type RefObject, useEffect, useRef, useState } from "react";
import { logQuietly } from "../../../../api/quiet-log.ts";
import { type BarcodeReader, openBarcodeReader } from "./barcode-reader.ts";
import { type CameraProblem, cameraProblem, readerProblem, secureContextProblem } from "./camera-words.ts";
import { HeldCodes } from "./held-codes.ts";

export type CameraState =
  | { kind: "opening" }
  | { kind: "reading"; torch: Torch | null }
  | { kind: "failed"; problem: CameraProblem };

/** The lamp of a phone's camera. */
export type Torch = { isOn: boolean; toggle: () => void };

type CameraOptions = {
  video: RefObject<HTMLVideoElement | null>;
  /** What a code means; codes that mean the same are one. */
  meaningOf: (text: string) => string;
  onCode: (text: string) => void;
};

/** Eight looks a second are enough for a hand, and leave the processor to the rest of the page. */
const LOOK_EVERY_MS = 120;

const BACK_CAMERA: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 } },
};

/** Opens the camera, reads the codes it sees, and stops it when its owner goes. */
export function useCamera(options: CameraOptions): CameraState {
  const [state, setState] = useState<CameraState>({ kind: "opening" });
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const closing = new AbortController();
    const { signal } = closing;
    const fail = (problem: CameraProblem): void => {
      if (!signal.aborted) setState({ kind: "failed", problem });
    };
    const open = async (): Promise<void> => {
      const insecure = secureContextProblem(window.isSecureContext);
      if (insecure) return fail(insecure);
      const stream = await openStream(signal, fail);
      if (!stream) return;
      const video = latest.current.video.current;
      if (!video || signal.aborted) return;
      video.srcObject = stream;
      await video.play();
      const [track] = stream.getVideoTracks();
      setState({ kind: "reading", torch: track ? torchOf(track, setState) : null });
      await lookAround(await openBarcodeReader(), video, latest, signal);
    };
    open().catch((error: unknown) => {
      if (signal.aborted) return;
      logQuietly("The camera's codes are not read", error);
      fail(readerProblem());
    });
    return () => closing.abort();
  }, []);
  return state;
}

/** Null when there is no camera to be had, or nobody wants it any more. */
async function openStream(signal: AbortSignal, fail: (problem: CameraProblem) => void): Promise<MediaStream | null> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia(BACK_CAMERA);
    const stop = (): void => stream.getTracks().forEach((track) => track.stop());
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
    return signal.aborted ? null : stream;
  } catch (error) {
    fail(cameraProblem(error));
    return null;
  }
}

async function lookAround(
  reader: BarcodeReader,
  video: HTMLVideoElement,
  latest: RefObject<CameraOptions>,
  signal: AbortSignal,
): Promise<void> {
  const held = new HeldCodes();
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    const codes = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA ? await reader.read(video) : [];
    if (isOver()) return;
    const { meaningOf, onCode } = latest.current;
    const seen = codes.map((code) => ({ ...code, meaning: meaningOf(code.text) }));
    for (const { text } of held.take(seen, performance.now())) onCode(text);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function torchOf(track: MediaStreamTrack, setState: (state: CameraState) => void): Torch | null {
  const abilities = track.getCapabilities();
  if (!("torch" in abilities) || abilities.torch !== true) return null;
  const torchAt = (isOn: boolean): Torch => ({
    isOn,
    toggle: () => {
      const light: MediaTrackConstraintSet & { torch: boolean } = { torch: !isOn };
      track.applyConstraints({ advanced: [light] }).then(
        () => setState({ kind: "reading", torch: torchAt(!isOn) }),
        (error: unknown) => logQuietly("The lamp does not answer", error),
      );
    },
  });
  return torchAt(false);
}
