import { Button, Group, Text } from "@mantine/core";
import { Step, type StepState } from "./Step.tsx";
import { isRunning } from "../scanner-state.ts";
import type { SheetSummary } from "../sheet/sheet-summary.ts";
import type { Scanner } from "../use-scanner.ts";
import { ProblemLine } from "../../../ui/form/FormProblem.tsx";

type ProcessStepProps = { scanner: Scanner; state: StepState; isProcessing: boolean };

export function ProcessStep({ scanner, state, isProcessing }: ProcessStepProps) {
  const { session, start, stop } = scanner;
  const { run, problem, sheet } = scanner.state;
  const obstacle = !isProcessing && sheet.kind === "ready" ? nothingToLookUp(sheet.loaded.summary) : null;
  const canStop = run === "idle" && isRunning(session);
  const isStopping = canStop && scanner.state.isStopping;
  return (
    <Step number={4} title="Process" state={state}>
      <Group gap={8}>
        <Button variant="filled" onClick={start} disabled={isProcessing || run === "searching" || obstacle !== null}>
          {isProcessing ? "Processing..." : "Process Data"}
        </Button>
        {canStop && (
          <Button onClick={stop} disabled={isStopping}>
            Stop Processing
          </Button>
        )}
      </Group>
      {obstacle !== null && (
        <Text component="output" display="block" size="xs" c="dimmed" mt={6}>
          {obstacle}
        </Text>
      )}
      {isStopping && (
        <Text component="output" display="block" size="xs" c="dimmed" mb={10}>
          Stopping: the card in flight finishes first.
        </Text>
      )}
      <ProblemLine mt={10} fw={550} lh={1.4} message={problem} />
    </Step>
  );
}

/** Why a sheet can't start; null if a row can be looked up. */
function nothingToLookUp({ rowCount, toFix }: SheetSummary): string | null {
  if (toFix < rowCount) return null;
  return rowCount === 1 ? "Nothing to look up: fix the row first." : "Nothing to look up: fix a row first.";
}
