import { Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import styles from "./FormCard.module.css";
import { Panel } from "../Panel.tsx";

/** A form in the middle of a screen that has nothing else. */
export function FormCard({ title, hint, children }: { title: string; hint: string; children: ReactNode }): ReactNode {
  const titleId = useId();
  return (
    <Panel padding="flush" className={styles.card} aria-labelledby={titleId}>
      <Title order={1} id={titleId}>
        {title}
      </Title>
      <Text mt="xs" mb="lg" lh={1.5} c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {hint}
      </Text>
      {children}
    </Panel>
  );
}
