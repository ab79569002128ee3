import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { errorReference, errorMessage } from "../api/error-messages.ts";
import { ErrorPanel } from "../ui/ErrorPanel.tsx";
import { SlabMark } from "../ui/SlabMark.tsx";

/** Shown if the session check could not reach the server. */
export function UnreachableScreen({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  return (
    <Stack align="center" w="100%" maw="32rem">
      <SlabMark height={40} />
      <Title>Slabdesk is not available</Title>
      <ErrorPanel message={errorMessage(error)} reference={errorReference(error)} onRetry={onRetry} />
    </Stack>
  );
}
