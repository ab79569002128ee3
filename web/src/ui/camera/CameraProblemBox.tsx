import { FormProblem } from "../form/FormProblem.tsx";
import type { CameraProblem } from "./camera-messages.ts";

/** Shown in place of the camera's video. `instead` says what the user can do without a camera. */
export function CameraProblemBox({ problem, instead }: { problem: CameraProblem; instead: string }) {
  return (
    <FormProblem
      message={
        <>
          <strong>{problem.title}</strong>
          <br />
          {problem.advice} {instead}
        </>
      }
    />
  );
}
