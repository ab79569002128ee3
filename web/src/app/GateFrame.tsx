import { Center, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Brand, DemoBadge, Footer } from "./Brand.tsx";
import { ColorSchemeToggle } from "./ColorSchemeToggle.tsx";

/** The frame around the screens before sign-in. */
export function GateFrame({ isDemo, children }: { isDemo: boolean; children: ReactNode }): ReactNode {
  return (
    <Stack gap={0} mih="100dvh">
      <Group
        component="header"
        justify="space-between"
        mih="var(--sd-header-height)"
        px="var(--sd-gutter)"
        bg="var(--sd-surface)"
        style={{ borderBottom: "1px solid var(--sd-line)" }}
      >
        <Group>
          <Brand />
          {isDemo && <DemoBadge />}
        </Group>
        <ColorSchemeToggle />
      </Group>
      <Center component="main" flex={1} px="var(--sd-gutter)" py="xl">
        {children}
      </Center>
      <Footer isDemo={isDemo} />
    </Stack>
  );
}
