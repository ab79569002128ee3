import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { SlabMark } from "../ui/SlabMark.tsx";
import { Tag } from "../ui/Tag.tsx";

/** The logo and name, the same on every screen. */
export function Brand(): ReactNode {
  return (
    <Group gap="0.625rem" wrap="nowrap">
      <SlabMark />
      <Text span fz="1.0625rem" fw={700} lts="-0.02em">
        Slabdesk
      </Text>
    </Group>
  );
}

/** Shown on every screen while the upstreams are simulated. */
export function DemoBadge(): ReactNode {
  return (
    <span title="Cards, pictures and prices come from a simulator, not from the grading companies">
      <Tag tone="warn">Demo data</Tag>
    </span>
  );
}

export function Footer(): ReactNode {
  return (
    <Text component="footer" px="var(--sd-gutter)" pt="md" pb="1.25rem" fz="xs" c="dimmed" ta="center">
      Slabdesk · all rights reserved 2025
    </Text>
  );
}
