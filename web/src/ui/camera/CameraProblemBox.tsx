import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import type { CameraProblem } from "./camera-messages.ts";

type CameraProblemBoxProps = {
  problem: CameraProblem;
  /** What the user can do without a camera. */
  instead: string;
};

/** Shown in place of the camera's picture. */
export function CameraProblemBox({ problem, instead }: CameraProblemBoxProps): ReactNode {
  return (
    <Stack
      role="alert"
      gap={4}
      px={14}
      py={12}
      bdrs="var(--sd-radius-control)"
      bg="var(--sd-bad-soft)"
      c="var(--sd-bad)"
      fz="sm"
      lh={1.45}
      ta="start"
    >
      <strong>{problem.title}</strong>
      <span>
        {problem.advice} {instead}
      </span>
    </Stack>
  );
}
