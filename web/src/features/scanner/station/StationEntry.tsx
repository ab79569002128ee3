import { Button } from "@mantine/core";
import { IconBarcode } from "@tabler/icons-react";
import { countWaiting } from "./ledger.ts";
import styles from "./station.module.css";
import { waitWords } from "./station-words.ts";
import type { StationControl } from "./use-station.ts";

/** The way into the station, beside the choice of a file. */
export function StationEntry({ station: { view, open } }: { station: StationControl }) {
  const waiting = countWaiting(view.ledger);
  return (
    <div className={styles.entry}>
      <Button size="xs" leftSection={<IconBarcode size={16} aria-hidden="true" />} onClick={open}>
        Scan slabs instead
      </Button>
      {waiting > 0 && <p className={styles.note}>{waitWords(waiting)}.</p>}
    </div>
  );
}
