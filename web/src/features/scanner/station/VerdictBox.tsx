import { IconAlertTriangle, IconArrowBackUp, IconBarcode, IconCheck, IconCopy } from "@tabler/icons-react";
import styles from "./station.module.css";
import { VERDICT_TONES, verdictMessage } from "./station-messages.ts";
import type { StationControl } from "./use-station.ts";

const ICONS = {
  ok: IconCheck,
  duplicate: IconCopy,
  unreadable: IconAlertTriangle,
  undone: IconArrowBackUp,
} as const;

/** The verdict of the last scan, readable from a distance. Screen readers announce it even if it repeats. */
export function VerdictBox({ last }: { last: StationControl["verdict"] }) {
  return (
    <output className={styles.verdictPlace} aria-label="Last scan">
      {last === null ? (
        <span className={styles.verdict} data-tone="none">
          <IconBarcode size={28} stroke={1.5} aria-hidden="true" />
          <span className={styles.verdictMessage}>
            <span className={styles.verdictAbout}>Scan the code on a slab. PSA, CGC and TAG are told apart.</span>
          </span>
        </span>
      ) : (
        <Shown key={last.serial} verdict={last.verdict} />
      )}
    </output>
  );
}

function Shown({ verdict }: { verdict: NonNullable<StationControl["verdict"]>["verdict"] }) {
  const { title, about } = verdictMessage(verdict);
  const Icon = ICONS[verdict.kind];
  return (
    <span className={styles.verdict} data-tone={VERDICT_TONES[verdict.kind]}>
      <Icon size={28} stroke={2} aria-hidden="true" />
      <span className={styles.verdictMessage}>
        <strong className={styles.verdictTitle}>{title}</strong>
        <span className={styles.verdictAbout}>{about}</span>
      </span>
    </span>
  );
}
