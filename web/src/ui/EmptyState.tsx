import { Box, Center, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

type EmptyStateProps = { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode };

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack gap="xs" align="center" px="lg" py="3.5rem" ta="center">
      {icon !== undefined && (
        <Center mb="xs" c="dimmed" aria-hidden="true">
          {icon}
        </Center>
      )}
      <Text maw="36rem" fw={550} textWrap="balance">
        {title}
      </Text>
      {children !== undefined && (
        <Box maw="30rem" fz="sm" c="dimmed">
          {children}
        </Box>
      )}
      {action}
    </Stack>
  );
}
