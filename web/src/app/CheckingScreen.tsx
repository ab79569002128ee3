import { Group, Loader, Stack } from "@mantine/core";
import { VisuallyHidden } from "../ui/text/VisuallyHidden.tsx";
import type { ReactNode } from "react";
import { SlabMark } from "../ui/SlabMark.tsx";

/** Shown at page load, before the auth check completes. */
export function CheckingScreen(): ReactNode {
  return (
    <Stack component="main" align="center" justify="center" gap="1.25rem" mih="100dvh">
      <VisuallyHidden component="h1">Slabdesk</VisuallyHidden>
      <SlabMark height={40} />
      <Group component="output" gap="xs" fz="md" c="dimmed">
        <Loader size={16} aria-hidden="true" />
        Checking authentication…
      </Group>
    </Stack>
  );
}
