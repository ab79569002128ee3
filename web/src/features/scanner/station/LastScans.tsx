import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Group, Stack, Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { CompanyTag } from "../../../table/row/cells.tsx";
import { rowTitle, rowMessage } from "../../../table/row/row-messages.ts";
import { Thumb } from "../../../table/row/Thumbs.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import type { Scan } from "./ledger.ts";
import styles from "./station.module.css";
import type { StationControl } from "./use-station.ts";

/** The table has all scans; this short list is for checking each slab against the screen. */
const SHOWN = 8;

/** The last scans, newest first, with their cards as look-ups finish. */
export function LastScans({ station, isRunning }: { station: StationControl; isRunning: boolean }) {
  const rows = useSyncExternalStore(station.rows.subscribe, station.rows.getSnapshot);
  const { scans } = station.state.ledger;
  if (scans.length === 0) return null;
  const last = scans.slice(-SHOWN);
  const since = last[0]?.line ?? 0;
  const rowOf = new Map(rows.filter(({ line }) => line >= since).map((row) => [row.line, row]));
  return (
    <ol className={styles.scans} reversed start={scans.length} aria-label="Last scans, newest first">
      {last
        .map((scan, index) => (
          <ScanLine
            key={scan.line}
            scan={scan}
            number={scans.length - last.length + index + 1}
            row={rowOf.get(scan.line) ?? null}
            isRunning={isRunning}
          />
        ))
        .toReversed()}
    </ol>
  );
}

type ScanLineProps = { scan: Scan; number: number; row: ResultRow | null; isRunning: boolean };

function ScanLine({ scan, number, row, isRunning }: ScanLineProps) {
  const message = row && rowMessage(row, isRunning);
  const title = row && rowTitle(row);
  return (
    <li className={styles.scan}>
      <span className={styles.scanNumber} aria-hidden="true">
        {number}
      </span>
      {row ? <Thumb row={row} side="front" /> : <span className={styles.noThumb} />}
      <Stack component="span" gap={3} miw={0}>
        <Text span truncate fw={600} fz="sm" title={title ?? undefined}>
          {title ?? message?.label ?? (scan.state === "sent" ? "Sent" : "Waiting to be sent")}
        </Text>
        <Group component="span" gap="3px 7px">
          <CompanyTag company={scan.company} />
          <span className={styles.certNumber}>{scan.certNumber}</span>
          {scan.repaired !== "" && (
            <Tag tone="warn" variant="small">
              {scan.repaired}
            </Tag>
          )}
        </Group>
        {title !== null && message?.label && (
          <span className={styles.scanState} data-tone={message.tone}>
            {message.label}
          </span>
        )}
      </Stack>
    </li>
  );
}
