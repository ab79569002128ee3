/** Why there is no picture: the problem and its remedy. */
export type CameraProblem = { title: string; advice: string };

const PROBLEMS = {
  insecure: {
    title: "The camera needs a secure address",
    advice:
      "Browsers give the camera only to pages on https, or on this computer itself. Ask whoever runs Slabdesk for its https address.",
  },
  refused: {
    title: "The camera was refused",
    advice:
      "Allow the camera for this page: press the sign beside the address, choose Camera, Allow, and open it again. On a phone, its settings may refuse it to the whole browser.",
  },
  missing: { title: "No camera was found", advice: "Connect one, or open Slabdesk on a phone." },
  busy: {
    title: "The camera is in use",
    advice: "Another program or tab holds it. Close that one and open the camera again.",
  },
  other: { title: "The camera did not start", advice: "Open it again." },
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
