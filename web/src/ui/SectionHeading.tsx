import { Box, Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

type SectionHeadingProps = {
  title: string;
  /** 1 for a screen's heading, 2 for a panel's. */
  level?: 1 | 2 | 3;
  hint?: ReactNode;
  actions?: ReactNode;
};

export function SectionHeading({ title, level = 2, hint, actions }: SectionHeadingProps) {
  return (
    <Group justify="space-between" gap="0.5rem 1rem">
      <Box miw={0}>
        <Title order={level}>{title}</Title>
        {hint !== undefined && (
          <Text mt={2} fz="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </Box>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
