/** Why the camera can't be used: the problem and its remedy. */
export type CameraProblem = { title: string; advice: string };

const PROBLEMS = {
  insecure: {
    title: "The camera needs a secure address",
    advice:
      "Browsers allow the camera only on https pages or on this computer. Ask your administrator for Slabdesk's https address.",
  },
  refused: {
    title: "Camera access was denied",
    advice:
      "Click the icon next to the address, allow the camera, and open it again. On a phone, also check that its settings allow the browser to use the camera.",
  },
  missing: { title: "No camera found", advice: "Connect one, or open Slabdesk on a phone." },
  busy: {
    title: "The camera is in use",
    advice: "Another app or tab is using it. Close it and open the camera again.",
  },
  other: { title: "The camera didn't start", advice: "Open it again." },
} as const satisfies Record<string, CameraProblem>;

/** Keyed by the error names of `getUserMedia` (Media Capture and Streams). */
const BY_NAME: Record<string, CameraProblem> = {
  NotAllowedError: PROBLEMS.refused,
  SecurityError: PROBLEMS.refused,
  NotFoundError: PROBLEMS.missing,
  OverconstrainedError: PROBLEMS.missing,
  NotReadableError: PROBLEMS.busy,
  AbortError: PROBLEMS.busy,
};

/** Null if the browser lets this page request the camera. */
export function secureContextProblem(isSecure: boolean): CameraProblem | null {
  return isSecure ? null : PROBLEMS.insecure;
}

export function cameraProblem(error: unknown): CameraProblem {
  return (error instanceof DOMException ? BY_NAME[error.name] : undefined) ?? PROBLEMS.other;
}
