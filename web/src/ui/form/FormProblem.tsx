import { Box, Text, type TextProps } from "@mantine/core";
import type { ReactNode } from "react";

/**
 * Why a form was refused as a whole. Its region is always there, so that a screen reader announces the message. An empty
 * region takes no space in a `Stack`.
 */
export function FormProblem({ message }: { message: ReactNode }) {
  return (
    <Box role="alert" mt={message === null ? "-md" : 0}>
      {message !== null && (
        <Text
          px="sm"
          py="0.625rem"
          bdrs="var(--sd-radius-control)"
          bg="var(--sd-bad-soft)"
          fz="sm"
          fw={500}
          lh={1.45}
          c="var(--sd-bad)"
          style={{ overflowWrap: "anywhere" }}
        >
          {message}
        </Text>
      )}
    </Box>
  );
}

/** Why something can't be done, as a line of text; nothing without a message. */
export function ProblemLine({ message, ...text }: TextProps & { message: string | null }) {
  if (message === null) return null;
  return (
    <Text c="var(--sd-bad)" fz="sm" role="alert" {...text}>
      {message}
    </Text>
  );
}
