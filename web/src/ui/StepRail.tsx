import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./StepRail.module.css";

export type StepState = "upcoming" | "current" | "done";

const STATE_LABELS: Record<StepState, string> = { upcoming: "not yet", current: "current step", done: "done" };

/** A column of numbered steps. Its children are `Step`s. */
export function StepRail({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <ol className={classes.rail} aria-label={label}>
      {children}
    </ol>
  );
}

type StepProps = {
  number: number;
  title: string;
  state: StepState;
  /** Shown instead of the controls when the step is done. */
  summary?: ReactNode;
  children?: ReactNode;
};

/** One step: a numbered dot, a title, and either its summary or its controls. */
export function Step({ number, title, state, summary, children }: StepProps): ReactNode {
  return (
    <li className={classes.step} data-state={state} aria-current={state === "current" ? "step" : undefined}>
      <span className={classes.dot} aria-hidden="true">
        {state === "done" ? <IconCheck size={14} stroke={2.25} /> : number}
      </span>
      <div className={classes.body}>
        <h2 className={classes.title}>
          <span className={classes.spoken}>Step {number}: </span>
          {title}
          <span className={classes.spoken}> ({STATE_LABELS[state]})</span>
        </h2>
        {summary !== undefined && <div className={classes.summary}>{summary}</div>}
        {children !== undefined && <div className={classes.content}>{children}</div>}
      </div>
    </li>
  );
}
