import type { ReactNode } from "react";
import type { CameraProblem } from "./camera-messages.ts";
import styles from "./CameraProblemBox.module.css";

type CameraProblemBoxProps = {
  problem: CameraProblem;
  /** What the user can do without a camera. */
  instead: string;
};

/** Shown in place of the camera's picture. */
export function CameraProblemBox({ problem, instead }: CameraProblemBoxProps): ReactNode {
  return (
    <div className={styles.problem} role="alert">
      <strong>{problem.title}</strong>
      <span>
        {problem.advice} {instead}
      </span>
    </div>
  );
}
