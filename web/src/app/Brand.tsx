import { Group, Text } from "@mantine/core";
import { Tag } from "../ui/Tag.tsx";

/** The product's logo: a slab with its label line. Decorative; shown beside the name. */
export function SlabMark({ height = 26 }: { height?: number }) {
  return (
    <svg viewBox="0 0 20 26" height={height} width={(height * 20) / 26} aria-hidden="true" focusable="false">
      <rect x="1.1" y="1.1" width="17.8" height="23.8" rx="4.4" fill="none" stroke="var(--sd-ink)" strokeWidth="2.2" />
      <rect x="4.4" y="4.6" width="11.2" height="4" rx="1.2" fill="var(--sd-accent)" />
    </svg>
  );
}

export function Brand() {
  return (
    <Group gap="0.625rem" wrap="nowrap">
      <SlabMark />
      <Text span fz="1.0625rem" fw={700} lts="-0.02em">
        Slabdesk
      </Text>
    </Group>
  );
}

const DEMO_MEANING = "Demo data: cards and prices are made up, and nothing is sent to the graders.";

/** Shown on every screen of a demo. The footer says what it means. */
export function DemoBadge() {
  return (
    <span title={DEMO_MEANING}>
      <Tag>Demo</Tag>
    </span>
  );
}

export function Footer({ isDemo }: { isDemo: boolean }) {
  return (
    <Text component="footer" px="var(--sd-gutter)" pt="md" pb="1.25rem" fz="xs" c="dimmed" ta="center">
      {isDemo && <Text inherit>{DEMO_MEANING}</Text>}
      Slabdesk · all rights reserved 2025
    </Text>
  );
}
