import { Group, Text } from "@mantine/core";
import { SlabMark } from "../ui/SlabMark.tsx";
import { Tag } from "../ui/Tag.tsx";

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
