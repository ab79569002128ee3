import { Box, Center, Title } from "@mantine/core";
import { VisuallyHidden } from "../../../ui/text/VisuallyHidden.tsx";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./steps.module.css";

export type StepState = "upcoming" | "current" | "done";

const STATES = {
  upcoming: { label: "not yet", dot: { bd: "1px solid var(--sd-line)", bg: "var(--sd-surface)", c: "dimmed" } },
  current: {
    label: "current step",
    dot: { bd: "1px solid var(--sd-ink)", bg: "var(--sd-ink)", c: "var(--sd-on-ink)" },
  },
  done: { label: "done", dot: { bd: "1px solid transparent", bg: "var(--sd-good-soft)", c: "var(--sd-good-text)" } },
} as const;
const DOT = { w: "1.625rem", h: "1.625rem", bdrs: "50%", fz: "sm", fw: 600 } as const;
const FADE = { transition: "background-color 160ms ease, color 160ms ease" };

type StepProps = {
  number: number;
  title: string;
  state: StepState;
  /** Shown above the controls that are left when the step is done. */
  summary?: string | null;
  children: ReactNode;
};

/** One step: a numbered dot, a title, its summary, and its controls. */
export function Step({ number, title, state, summary, children }: StepProps) {
  return (
    <li className={styles.step} aria-current={state === "current" ? "step" : undefined}>
      <Center component="span" {...DOT} {...STATES[state].dot} style={FADE} aria-hidden="true">
        {state === "done" ? <IconCheck size={14} stroke={2.25} /> : number}
      </Center>
      <Box miw={0}>
        <Title order={2} fz="md" lh="1.625rem">
          <VisuallyHidden>Step {number}: </VisuallyHidden>
          {title}
          <VisuallyHidden> ({STATES[state].label})</VisuallyHidden>
        </Title>
        {summary && (
          <Box fz="sm" lh={1.4} c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {summary}
          </Box>
        )}
        <Box mt="0.375rem">{children}</Box>
      </Box>
    </li>
  );
}
