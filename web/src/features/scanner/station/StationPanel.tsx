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
import { lazy, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { formatCount, wholeMoney } from "../../../ui/format-numbers.ts";
import { nextWork } from "./ledger.ts";
import { ScanField } from "./ScanField.tsx";
import { Boundary } from "../../../ui/Boundary.tsx";
import { isTyping } from "../../../ui/use-page-keys.ts";
import styles from "./station.module.css";
import { linkMessage, verdictMessage } from "./station-messages.ts";
import type { LastVerdict, StationControl } from "./use-station.ts";
import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { CompanyTag, GradeChip } from "../../../card/chips.tsx";
import { estimateOf } from "../../../card/prices/estimates.tsx";
import { rowMessage, rowTitle } from "../../../card/row-messages.ts";
import { Thumb } from "../../../table/row/Thumbs.tsx";
import { Tag } from "../../../ui/Tag.tsx";

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
        <Boundary
          name="The camera"
          loading={<Box bdrs="var(--sd-radius-control)" bg="var(--sd-fill)" style={{ aspectRatio: "4 / 3" }} />}
        >
          <CameraPanel station={station} />
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

const VERDICT_STYLES = {
  none: [IconBarcode, "none"],
  ok: [IconCheck, "good"],
  duplicate: [IconCopy, "warn"],
  unreadable: [IconAlertTriangle, "bad"],
  undone: [IconArrowBackUp, "neutral"],
} as const;

/** The verdict of the last scan, readable from a distance. Screen readers announce it even if it repeats. */
function VerdictBox({ last }: { last: LastVerdict | null }) {
  const { title, about } = verdictMessage(last?.verdict ?? null);
  const [Icon, tone] = VERDICT_STYLES[last?.verdict.kind ?? "none"];
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

/** The table has all scans; this short list is for checking each slab against the screen. */
const SHOWN = 8;
const SCAN_NOTE = { span: true, c: "dimmed", fz: "xs", fw: 550 } as const;
const TABULAR = { fontVariantNumeric: "tabular-nums" } as const;

function LastScans({ station, isRunning }: { station: StationControl; isRunning: boolean }) {
  const rows = useSyncExternalStore(station.rows.subscribe, station.rows.getSnapshot);
  const { scans } = station.state.ledger;
  if (scans.length === 0) return null;
  const last = scans.slice(-SHOWN);
  const since = last[0]?.line ?? 0;
  const rowOf = new Map(rows.filter(({ line }) => line >= since).map((row) => [row.line, row]));
  return (
    <ol reversed start={scans.length} aria-label="Last scans, newest first">
      {last.toReversed().map((scan, index) => {
        const row = rowOf.get(scan.line);
        const message = row && rowMessage(row, isRunning);
        const title = row && rowTitle(row);
        const isProblem = message?.tone === "bad" || message?.tone === "warn";
        return (
          <li key={scan.line} className={styles.scan}>
            <Text span c="dimmed" fz="sm" ta="end" style={TABULAR} aria-hidden="true">
              {scans.length - index}
            </Text>
            {row ? (
              <Thumb row={row} side="front" />
            ) : (
              <Box component="span" display="block" w={34} h={48} bdrs={4} bg="var(--sd-fill)" />
            )}
            <Stack component="span" gap={3} miw={0}>
              <Text span truncate fw={600} fz="sm" title={title ?? undefined}>
                {title ?? message?.label ?? (scan.state === "sent" ? "Sent" : "Waiting to be sent")}
              </Text>
              <Group component="span" gap="3px 7px">
                <CompanyTag company={scan.company} />
                <Text span fz="sm" style={TABULAR}>
                  {scan.certNumber}
                </Text>
                {row && isFound(row) && <GradeChip grade={row.grade} />}
                {scan.repaired !== "" && (
                  <Tag tone="warn" variant="small">
                    {scan.repaired}
                  </Tag>
                )}
              </Group>
              {row && isFound(row) && <Worth row={row} offerRule={station.offerRule} />}
              {title && message?.label && (
                <Text {...SCAN_NOTE} c={isProblem ? `var(--sd-${message.tone})` : "dimmed"}>
                  {message.label}
                </Text>
              )}
            </Stack>
          </li>
        );
      })}
    </ol>
  );
}

/** What the card is worth, and what to pay for it. Empty without prices. */
function Worth({ row, offerRule }: { row: ResultRow; offerRule: OfferRule | null }) {
  const estimate = estimateOf(row, "cardladder") ?? estimateOf(row, "cardsiq");
  const offer = offerOf(offerRule, row);
  const isPending = Object.values(row.prices).some(({ state }) => state === "pending");
  if (estimate === null && offer === null) return isPending && <Text {...SCAN_NOTE}>Getting prices…</Text>;
  return (
    <Group component="span" gap="2px 12px" c="dimmed" fz="sm" style={TABULAR}>
      {estimate !== null && <Amount name="Estimate" amount={estimate} />}
      {offer !== null && <Amount name="Offer" amount={offer} />}
    </Group>
  );
}

function Amount({ name, amount }: { name: string; amount: number }) {
  return (
    <span>
      {name} <strong style={{ color: "var(--sd-ink)", fontWeight: 600 }}>{wholeMoney(amount)}</strong>
    </span>
  );
}
