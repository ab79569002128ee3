import { Button } from "@mantine/core";
import { Step, type StepState } from "../../../ui/StepRail.tsx";
import styles from "./steps.module.css";

type ProcessStepProps = {
  state: StepState;
  isProcessing: boolean;
  isLooking: boolean;
  isStopping: boolean;
  /** Null if no run can be stopped. */
  onStop: (() => void) | null;
  onStart: () => void;
  problem: string | null;
};

export function ProcessStep({
  state,
  isProcessing,
  isLooking,
  isStopping,
  onStop,
  onStart,
  problem,
}: ProcessStepProps) {
  return (
    <Step number={4} title="Process" state={state}>
      <div className={styles.buttons}>
        <Button variant="filled" onClick={onStart} disabled={isProcessing || isLooking}>
          {isProcessing ? "Processing..." : "Process Data"}
        </Button>
        {onStop && (
          <Button onClick={onStop} disabled={isStopping}>
            Stop Processing
          </Button>
        )}
      </div>
      {isStopping && <output className={styles.note}>Stopping: the card in flight finishes first.</output>}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Step>
  );
}
