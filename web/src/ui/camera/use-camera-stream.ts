import { type RefObject, useEffect, useRef, useState } from "react";
import { type CameraProblem, cameraProblem, secureContextProblem } from "./camera-messages.ts";

export type CameraStream =
  | { kind: "opening" }
  | { kind: "open"; torch: Torch | null }
  | { kind: "failed"; problem: CameraProblem };

/** The phone camera's light. */
type Torch = { isOn: boolean; toggle: () => void };

type CameraStreamOptions = {
  /** Displays the camera's video. */
  video: RefObject<HTMLVideoElement | null>;
  /** The requested resolution; the camera may deliver less. */
  size: { width: number; height: number };
  /** Receives errors other than a camera that doesn't open. */
  report: (message: string, error: unknown) => void;
};

/** Opens a phone's rear camera, or else any camera, and stops it on unmount. */
export function useCameraStream(options: CameraStreamOptions): CameraStream {
  const [state, setState] = useState<CameraStream>({ kind: "opening" });
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const closing = new AbortController();
    const { signal } = closing;
    const open = async (): Promise<CameraStream | null> => {
      const insecure = secureContextProblem(window.isSecureContext);
      if (insecure) return { kind: "failed", problem: insecure };
      const stream = await openStream(signal, latest.current.size);
      const video = latest.current.video.current;
      if (!video || signal.aborted) return null;
      video.srcObject = stream;
      await video.play();
      const [track] = stream.getVideoTracks();
      return { kind: "open", torch: track ? torchOf(track, setState, latest) : null };
    };
    open().then(
      (opened) => {
        if (opened && !signal.aborted) setState(opened);
      },
      (error: unknown) => {
        if (!signal.aborted) setState({ kind: "failed", problem: cameraProblem(error) });
      },
    );
    return () => closing.abort();
  }, []);
  return state;
}

async function openStream(signal: AbortSignal, { width, height }: CameraStreamOptions["size"]): Promise<MediaStream> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: width }, height: { ideal: height } },
  });
  const stop = (): void => stream.getTracks().forEach((track) => track.stop());
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop);
  return stream;
}

function torchOf(
  track: MediaStreamTrack,
  setState: (state: CameraStream) => void,
  latest: RefObject<CameraStreamOptions>,
): Torch | null {
  const abilities = track.getCapabilities();
  if (!("torch" in abilities) || abilities.torch !== true) return null;
  const torchAt = (isOn: boolean): Torch => ({
    isOn,
    toggle: () => {
      const light: MediaTrackConstraintSet & { torch: boolean } = { torch: !isOn };
      track.applyConstraints({ advanced: [light] }).then(
        () => setState({ kind: "open", torch: torchAt(!isOn) }),
        (error: unknown) => latest.current.report("The light can't be switched", error),
      );
    },
  });
  return torchAt(false);
}
