import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { Box, Group, Stack, Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { CompanyTag, GradeChip } from "../../../card/chips.tsx";
import { estimateOf } from "../../../card/prices/estimates.tsx";
import { rowTitle, rowMessage } from "../../../card/row-messages.ts";
import { Thumb } from "../../../table/row/Thumbs.tsx";
import { wholeMoney } from "../../../ui/format-numbers.ts";
import { Tag } from "../../../ui/Tag.tsx";
import styles from "./station.module.css";
import type { StationControl } from "./use-station.ts";

/** The table has all scans; this short list is for checking each slab against the screen. */
const SHOWN = 8;
const NOTE = { span: true, c: "dimmed", fz: "xs", fw: 550 } as const;
const TABULAR = { fontVariantNumeric: "tabular-nums" } as const;

export function LastScans({ station, isRunning }: { station: StationControl; isRunning: boolean }) {
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
                <Text {...NOTE} c={isProblem ? `var(--sd-${message.tone})` : "dimmed"}>
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
  if (estimate === null && offer === null) return isPending && <Text {...NOTE}>Getting prices…</Text>;
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
