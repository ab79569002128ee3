import { Button } from "@mantine/core";
import { IconArrowLeft, IconCamera, IconCameraOff } from "@tabler/icons-react";
import { lazy, Suspense, useRef, useState } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { LastScans } from "./LastScans.tsx";
import { nextWork } from "./ledger.ts";
import { ScanField } from "./ScanField.tsx";
import { SoundSwitch } from "./SoundSwitch.tsx";
import styles from "./station.module.css";
import { countMessage, linkMessage } from "./station-messages.ts";
import type { StationControl } from "./use-station.ts";
import { useScanField } from "./use-scan-field.ts";
import { VerdictBox } from "./VerdictBox.tsx";

const CameraView = lazy(async () => ({ default: (await import("./camera/CameraView.tsx")).CameraView }));

/** The scan station, in place of the four steps: field, verdict, count, and last scans. */
export function StationPanel({ station, isRunning }: { station: StationControl; isRunning: boolean }) {
  const [hasCamera, setHasCamera] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useScanField(field, panel);
  const { view, verdict } = station;
  const count = view.ledger.scans.length;

  return (
    <Panel ref={panel} aria-labelledby="scan-station" className={styles.panel}>
      <div className={styles.head}>
        <h2 id="scan-station" className={styles.title}>
          Scan station
        </h2>
        <SoundSwitch isMuted={station.isMuted} onMuted={station.setMuted} />
      </div>
      <ScanField
        field={field}
        choice={station.choice}
        onChoice={station.setChoice}
        onScan={station.scan}
        onUndo={station.undo}
      />
      <Button
        fullWidth
        size="xs"
        aria-expanded={hasCamera}
        leftSection={
          hasCamera ? <IconCameraOff size={16} aria-hidden="true" /> : <IconCamera size={16} aria-hidden="true" />
        }
        onClick={() => setHasCamera(!hasCamera)}
      >
        {hasCamera ? "Close the camera" : "Scan with the camera"}
      </Button>
      {hasCamera && (
        <Suspense fallback={<div className={styles.cameraGap} />}>
          <CameraView meaningOf={station.meaningOf} onCode={station.scan} />
        </Suspense>
      )}
      <VerdictBox last={verdict} />
      <LinkState station={station} />
      <div className={styles.tally}>
        <p className={styles.count}>
          <strong>{count.toLocaleString("en-US")}</strong> {countMessage(count)}
        </p>
        <Button size="xs" disabled={count === 0} onClick={station.undo}>
          Undo last scan
        </Button>
      </div>
      <LastScans station={station} isRunning={isRunning} />
      <Beside station={station} />
      <div className={styles.ways}>
        <Button size="xs" leftSection={<IconArrowLeft size={16} aria-hidden="true" />} onClick={station.close}>
          Back to sheets
        </Button>
        {count > 0 && (
          <Button size="xs" disabled={nextWork(view.ledger) !== null} onClick={station.startNew}>
            New session
          </Button>
        )}
      </div>
    </Panel>
  );
}

/** Unsent scans and the reason. */
function LinkState({ station: { view, retry } }: { station: StationControl }) {
  const state = linkMessage(view);
  return (
    <output className={styles.link} data-tone={state?.tone}>
      {state && <span>{state.message}</span>}
      {state && view.link.kind !== "idle" && view.link.kind !== "sending" && (
        <Button size="compact-xs" onClick={retry}>
          Send now
        </Button>
      )}
    </output>
  );
}

/** A link back to the session shown before. */
function Beside({ station: { beside, view } }: { station: StationControl }) {
  if (!beside) return null;
  const name = <strong>{beside.sessionName}</strong>;
  const isOn = beside.status === "processing";
  if (view.ledger.sessionId === null) {
    return (
      <p className={styles.note}>
        Your first scan starts a session of its own. {name} {isOn ? "goes on meanwhile" : "stays as it is"}.
      </p>
    );
  }
  return (
    <p className={styles.note}>
      The table shows your scans. {name} {isOn ? "goes on beside them" : "stays as it is"}; Back to sheets shows it
      again.
    </p>
  );
}
