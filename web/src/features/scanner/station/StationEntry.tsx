import { Box, Button } from "@mantine/core";
import { IconBarcode } from "@tabler/icons-react";
import { TextButton } from "../TextButton.tsx";
import { countWaiting } from "./ledger.ts";
import styles from "./station.module.css";
import { waitMessage } from "./station-messages.ts";
import type { StationControl } from "./use-station.ts";

/** The scan station link, next to the file chooser. `isQuiet`: a sheet is chosen, so that a small link suffices. */
export function StationEntry({ station: { state, open }, isQuiet }: { station: StationControl; isQuiet: boolean }) {
  const waiting = countWaiting(state.ledger);
  const wait = waiting > 0 && <p className={styles.note}>{waitMessage(waiting)}.</p>;
  if (isQuiet)
    return (
      <>
        <TextButton isLink onClick={open}>
          Scan slabs instead
        </TextButton>
        {wait}
      </>
    );
  return (
    <Box mt={10}>
      <Button size="xs" leftSection={<IconBarcode size={16} aria-hidden="true" />} onClick={open}>
        Scan slabs instead
      </Button>
      {wait}
    </Box>
  );
}
