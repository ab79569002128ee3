import "@mantine/core/styles/Switch.layer.css";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { ActionIcon, Button, Group, Switch, Text } from "@mantine/core";
import { IconArrowLeft, IconCamera, IconCameraOff, IconVolume, IconVolumeOff } from "@tabler/icons-react";
import { lazy, Suspense, useRef, useState } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { count } from "../counts.ts";
import { LastScans } from "./LastScans.tsx";
import { nextWork } from "./ledger.ts";
import { ScanField } from "./ScanField.tsx";
import { Boundary } from "../../../ui/Boundary.tsx";
import styles from "./station.module.css";
import { countMessage, linkMessage } from "./station-messages.ts";
import type { StationControl } from "./use-station.ts";
import { useScanField } from "./use-scan-field.ts";
import { VerdictBox } from "./VerdictBox.tsx";

const CameraPanel = lazy(async () => ({ default: (await import("./camera/CameraPanel.tsx")).CameraPanel }));

const ROW = { justify: "space-between", gap: 8, wrap: "nowrap" } as const;

type StationPanelProps = { station: StationControl; isRunning: boolean; status: Status | null };

/** The scan station, in place of the four steps: field, verdict, count, and last scans. */
export function StationPanel({ station, isRunning, status }: StationPanelProps) {
  const [hasCamera, setHasCamera] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { state, isMuted } = station;
  useScanField(field, panel, station.last);
  const scanCount = state.ledger.scans.length;

  return (
    <Panel ref={panel} padding="flush" aria-labelledby="scan-station" className={styles.panel}>
      <Group {...ROW}>
        <Text component="h2" id="scan-station" fw={650} fz="1.0625rem" lts="-0.01em">
          Scan station
        </Text>
        <ActionIcon
          size="md"
          aria-label="Sound"
          aria-pressed={!isMuted}
          title={isMuted ? "Sound is off" : "Sound is on"}
          onClick={() => station.setMuted(!isMuted)}
        >
          {isMuted ? <IconVolumeOff size={18} aria-hidden="true" /> : <IconVolume size={18} aria-hidden="true" />}
        </ActionIcon>
      </Group>
      <ScanField field={field} station={station} />
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
        <Boundary name="The camera">
          <Suspense fallback={<div className={styles.cameraGap} />}>
            <CameraPanel meaningOf={station.meaningOf} onCode={station.scan} />
          </Suspense>
        </Boundary>
      )}
      <VerdictBox last={station.last} />
      <LinkState station={station} />
      <Group {...ROW}>
        <Text c="dimmed">
          <Text component="strong" c="var(--sd-ink)" fw={700} fz="1.5rem" lts="-0.01em">
            {count(scanCount)}
          </Text>{" "}
          {countMessage(scanCount)}
        </Text>
        <Button size="xs" disabled={scanCount === 0} onClick={station.undo}>
          Undo last scan
        </Button>
      </Group>
      <PricesSwitch station={station} hasPriceSources={status?.priceSources.length !== 0} />
      <LastScans station={station} isRunning={isRunning} />
      <Beside station={station} />
      <Group {...ROW} className={styles.ways ?? ""}>
        <Button size="xs" leftSection={<IconArrowLeft size={16} aria-hidden="true" />} onClick={station.close}>
          Back to sheets
        </Button>
        {scanCount > 0 && (
          <Button size="xs" disabled={nextWork(state.ledger) !== null} onClick={station.startNew}>
            New session
          </Button>
        )}
      </Group>
    </Panel>
  );
}

/** A session that has prices keeps them, so its switch becomes a note. */
function PricesSwitch({ station: { prices }, hasPriceSources }: { station: StationControl; hasPriceSources: boolean }) {
  if (prices.isOn && prices.isLocked) return <p className={styles.note}>This session gets prices.</p>;
  return (
    <Switch
      size="xs"
      label="Get prices"
      description={hasPriceSources ? "Adds the estimate and the offer to each slab" : "No price source is set up"}
      checked={prices.isOn}
      disabled={prices.isLocked || !hasPriceSources}
      onChange={(event) => prices.turn(event.currentTarget.checked)}
    />
  );
}

function LinkState({ station: { state, retry } }: { station: StationControl }) {
  const notice = linkMessage(state);
  return (
    <Group {...ROW} gap={10} component="output" className={styles.link ?? ""} data-tone={notice?.tone}>
      {notice && <span>{notice.message}</span>}
      {notice && state.link.kind !== "idle" && state.link.kind !== "sending" && (
        <Button size="compact-xs" onClick={retry}>
          Send now
        </Button>
      )}
    </Group>
  );
}

function Beside({ station: { beside, state } }: { station: StationControl }) {
  if (!beside) return null;
  const isNew = state.ledger.sessionId === null;
  return (
    <p className={styles.note}>
      {isNew ? "Your first scan starts a new session." : "The table shows your scans."}{" "}
      <strong>{beside.sessionName}</strong> {beside.status === "processing" ? "keeps running." : "stays as it is."}
      {!isNew && " Back to sheets shows it again."}
    </p>
  );
}
