import "@mantine/core/styles/Switch.layer.css";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { ActionIcon, Box, Button, Group, Stack, Switch, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowLeft,
  IconBarcode,
  IconCamera,
  IconCameraOff,
  IconCheck,
  IconCopy,
  IconVolume,
  IconVolumeOff,
} from "@tabler/icons-react";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { formatCount } from "../../../ui/format-numbers.ts";
import { LastScans } from "./LastScans.tsx";
import { nextWork } from "./ledger.ts";
import { ScanField } from "./ScanField.tsx";
import { Boundary } from "../../../ui/Boundary.tsx";
import { isTyping } from "../../../ui/use-page-keys.ts";
import styles from "./station.module.css";
import { linkMessage, verdictMessage } from "./station-messages.ts";
import type { LastVerdict, StationControl } from "./use-station.ts";

const CameraPanel = lazy(async () => ({ default: (await import("./camera/CameraPanel.tsx")).CameraPanel }));

const NOTE = { c: "dimmed", fz: "xs", lh: 1.45, style: { overflowWrap: "anywhere" } } as const;
const ROW = { justify: "space-between", gap: 8, wrap: "nowrap" } as const;

type StationPanelProps = { station: StationControl; isRunning: boolean; status: Status | null };

/** The scan station, in place of the four steps: field, verdict, count, and last scans. */
export function StationPanel({ station, isRunning, status }: StationPanelProps) {
  const [hasCamera, setHasCamera] = useState(false);
  const { state, isMuted, last } = station;
  const { panel, field } = useScanField(last);
  const scanCount = state.ledger.scans.length;
  const CameraIcon = hasCamera ? IconCameraOff : IconCamera;
  const SoundIcon = isMuted ? IconVolumeOff : IconVolume;

  return (
    <Panel ref={panel} aria-labelledby="scan-station" className={styles.panel}>
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
          <SoundIcon size={18} aria-hidden="true" />
        </ActionIcon>
      </Group>
      <ScanField field={field} station={station} />
      <Button
        fullWidth
        size="xs"
        aria-expanded={hasCamera}
        leftSection={<CameraIcon size={16} aria-hidden="true" />}
        onClick={() => setHasCamera(!hasCamera)}
      >
        {hasCamera ? "Close the camera" : "Scan with the camera"}
      </Button>
      {hasCamera && (
        <Boundary name="The camera">
          <Suspense
            fallback={<Box bdrs="var(--sd-radius-control)" bg="var(--sd-fill)" style={{ aspectRatio: "4 / 3" }} />}
          >
            <CameraPanel station={station} />
          </Suspense>
        </Boundary>
      )}
      <VerdictBox last={last} />
      <LinkState station={station} />
      <Group {...ROW}>
        <Text c="dimmed">
          <Text component="strong" c="var(--sd-ink)" fw={700} fz="1.5rem" lts="-0.01em">
            {formatCount(scanCount)}
          </Text>{" "}
          {scanCount === 1 ? "slab scanned" : "slabs scanned"}
        </Text>
        <Button size="xs" disabled={scanCount === 0} onClick={station.undo}>
          Undo last scan
        </Button>
      </Group>
      <PricesSwitch station={station} hasPriceSources={status?.priceSources.length !== 0} />
      <LastScans station={station} isRunning={isRunning} />
      <Beside station={station} />
      <Group {...ROW} className={styles.exits ?? ""}>
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

/** Focuses the field on mount, after each scan, and after a click outside any control or on a station button. */
function useScanField(last: LastVerdict | null) {
  const panel = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const focus = useCallback((): void => {
    // On a phone, focusing the field opens the keyboard, which covers the page, so the user focuses it there.
    const isFree = matchMedia("(pointer: fine)").matches && document.querySelector('[role="dialog"]') === null;
    if (isFree && panel.current?.checkVisibility()) field.current?.focus({ preventScroll: true });
  }, []);
  useEffect(focus, [focus]);
  useEffect(() => {
    if (last !== null && last.verdict.kind !== "undone" && !isTyping(document.activeElement)) focus();
  }, [focus, last]);
  useWindowEvent("click", ({ target, detail }) => {
    if (!(target instanceof Element)) return;
    const isOnControl = target.closest("a, button, input, select, textarea, label, [tabindex]") !== null;
    // After a button is pressed by key, keep the focus where the user put it.
    const isDone = !isOnControl || (detail > 0 && panel.current?.contains(target));
    if (isDone && getSelection()?.isCollapsed !== false) focus();
  });
  return { panel, field };
}

const LOOKS = {
  none: [IconBarcode, "none"],
  ok: [IconCheck, "good"],
  duplicate: [IconCopy, "warn"],
  unreadable: [IconAlertTriangle, "bad"],
  undone: [IconArrowBackUp, "neutral"],
} as const;

/** The verdict of the last scan, readable from a distance. Screen readers announce it even if it repeats. */
function VerdictBox({ last }: { last: LastVerdict | null }) {
  const { title, about } = verdictMessage(last?.verdict ?? null);
  const [Icon, tone] = LOOKS[last?.verdict.kind ?? "none"];
  return (
    <Box component="output" display="block" aria-label="Last scan">
      <span key={last?.serial} className={styles.verdict} data-tone={tone}>
        <Icon size={28} stroke={last ? 2 : 1.5} aria-hidden="true" />
        <Stack component="span" gap={1} miw={0}>
          {title && (
            <Text component="strong" fw={700} fz="1.125rem" lh={1.3} lts="-0.01em">
              {title}
            </Text>
          )}
          <Text span fz="sm" lh={1.4}>
            {about}
          </Text>
        </Stack>
      </span>
    </Box>
  );
}

/** A session that has prices keeps them, so its switch becomes a note. */
function PricesSwitch({ station: { prices }, hasPriceSources }: { station: StationControl; hasPriceSources: boolean }) {
  if (prices.isOn && prices.isLocked) return <Text {...NOTE}>This session gets prices.</Text>;
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

const LINK = { px: 12, py: 8, bdrs: "md", bg: "var(--tone-soft)", c: "var(--tone-text)", fz: "sm", lh: 1.4 } as const;

function LinkState({ station: { state, retry } }: { station: StationControl }) {
  const notice = linkMessage(state);
  return (
    <Group {...ROW} {...LINK} gap={10} component="output" display={notice ? "flex" : "none"} data-tone={notice?.tone}>
      {notice && <span>{notice.message}</span>}
      {notice && state.link.kind !== "idle" && state.link.kind !== "sending" && (
        <Button size="compact-xs" flex="none" onClick={retry}>
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
    <Text {...NOTE}>
      {isNew ? "Your first scan starts a new session." : "The table shows your scans."}{" "}
      <strong style={{ color: "var(--sd-ink)", fontWeight: 600 }}>{beside.sessionName}</strong>{" "}
      {beside.status === "processing" ? "keeps running." : "stays as it is."}
      {!isNew && " Back to sheets shows it again."}
    </Text>
  );
}
