import type { SessionStatus } from "@slabdesk/contract/api/sessions.ts";
import { StatusDot } from "../ui/StatusDot.tsx";
import type { Tone } from "../ui/tone.ts";

/** Completed is green, processing orange, failed red (docs/conformance.md, 4.3-05 to 4.3-07). */
const TONES: Record<SessionStatus, Tone> = { completed: "good", processing: "warn", failed: "bad" };

export function SessionStatusDot({ status }: { status: SessionStatus }) {
  return (
    <StatusDot tone={TONES[status]} isBusy={status === "processing"}>
      {status}
    </StatusDot>
  );
}
