import { Box, Title } from "@mantine/core";
import { VisuallyHidden } from "../../../ui/text/VisuallyHidden.tsx";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./Step.module.css";

export type StepState = "upcoming" | "current" | "done";

const STATE_LABELS: Record<StepState, string> = { upcoming: "not yet", current: "current step", done: "done" };

type StepProps = {
  number: number;
  title: string;
  state: StepState;
  /** Shown instead of the controls when the step is done. */
  summary?: ReactNode;
  children?: ReactNode;
};

/** One step: a numbered dot, a title, and either its summary or its controls. */
export function Step({ number, title, state, summary, children }: StepProps) {
  return (
    <li className={styles.step} data-state={state} aria-current={state === "current" ? "step" : undefined}>
      <span className={styles.dot} aria-hidden="true">
        {state === "done" ? <IconCheck size={14} stroke={2.25} /> : number}
      </span>
      <Box miw={0}>
        <Title order={2} fz="md" lh="1.625rem">
          <VisuallyHidden>Step {number}: </VisuallyHidden>
          {title}
          <VisuallyHidden> ({STATE_LABELS[state]})</VisuallyHidden>
        </Title>
        {summary !== undefined && (
          <Box fz="sm" lh={1.4} c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {summary}
          </Box>
        )}
        {children !== undefined && <Box mt="0.375rem">{children}</Box>}
      </Box>
    </li>
  );
}
