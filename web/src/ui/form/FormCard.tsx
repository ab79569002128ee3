import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Panel } from "../Panel.tsx";

/** A form in the middle of a screen that has nothing else. */
export function FormCard({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <Panel w="100%" maw="25rem" p="clamp(1.25rem, 6vw, 2rem)" aria-label={title}>
      <Title order={1}>{title}</Title>
      <Text mt="xs" mb="lg" lh={1.5} c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {hint}
      </Text>
      {children}
    </Panel>
  );
}
