import { Box, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconArrowBackUp, IconBarcode, IconCheck, IconCopy } from "@tabler/icons-react";
import type { Verdict } from "./station.ts";
import styles from "./station.module.css";
import { VERDICT_TONES, verdictMessage } from "./station-messages.ts";
import type { LastVerdict } from "./use-station.ts";

const ICONS = {
  ok: IconCheck,
  duplicate: IconCopy,
  unreadable: IconAlertTriangle,
  undone: IconArrowBackUp,
} as const;

/** The verdict of the last scan, readable from a distance. Screen readers announce it even if it repeats. */
export function VerdictBox({ last }: { last: LastVerdict | null }) {
  return (
    <Box component="output" display="block" aria-label="Last scan">
      {last === null ? (
        <span className={styles.verdict} data-tone="none">
          <IconBarcode size={28} stroke={1.5} aria-hidden="true" />
          <span className={styles.verdictAbout}>Scan the code on a slab. The company is recognized from the code.</span>
        </span>
      ) : (
        <Shown key={last.serial} verdict={last.verdict} />
      )}
    </Box>
  );
}

function Shown({ verdict }: { verdict: Verdict }) {
  const { title, about } = verdictMessage(verdict);
  const Icon = ICONS[verdict.kind];
  return (
    <span className={styles.verdict} data-tone={VERDICT_TONES[verdict.kind]}>
      <Icon size={28} stroke={2} aria-hidden="true" />
      <Stack component="span" gap={1} miw={0}>
        <Text component="strong" fw={700} fz="1.125rem" lh={1.3} lts="-0.01em">
          {title}
        </Text>
        <span className={styles.verdictAbout}>{about}</span>
      </Stack>
    </span>
  );
}
