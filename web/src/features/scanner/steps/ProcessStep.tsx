import { Button, Group, Text } from "@mantine/core";
import { Step, type StepState } from "../../../ui/StepRail.tsx";
import { isRunning } from "../scanner-state.ts";
import type { Scanner } from "../use-scanner.ts";
import styles from "./steps.module.css";

type ProcessStepProps = { scanner: Scanner; state: StepState; isProcessing: boolean };

export function ProcessStep({
  scanner: { state: workflow, session, start, stop },
  state,
  isProcessing,
}: ProcessStepProps) {
  const { run, problem } = workflow;
  const canStop = run === "idle" && isRunning(session);
  const isStopping = canStop && workflow.isStopping;
  return (
    <Step number={4} title="Process" state={state}>
      <Group gap={8}>
        <Button variant="filled" onClick={start} disabled={isProcessing || run === "looking"}>
          {isProcessing ? "Processing..." : "Process Data"}
        </Button>
        {canStop && (
          <Button onClick={stop} disabled={isStopping}>
            Stop Processing
          </Button>
        )}
      </Group>
      {isStopping && (
        <Text component="output" display="block" size="xs" c="dimmed" mb={10}>
          Stopping: the card in flight finishes first.
        </Text>
      )}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Step>
  );
}
