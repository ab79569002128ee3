import type { ReactNode } from "react";
import { errorReference, errorMessage } from "../../api/error-messages.ts";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";

type AdminLoadErrorProps = { error: unknown; isRetrying: boolean; onRetry: () => void };

/** Shown if a part of the admin tab fails to load. */
export function AdminLoadError({ error, isRetrying, onRetry }: AdminLoadErrorProps): ReactNode {
  return (
    <ErrorPanel
      message={`Error loading admin data: ${errorMessage(error)}`}
      reference={errorReference(error)}
      isRetrying={isRetrying}
      onRetry={onRetry}
      retryLabel="Try Again"
    />
  );
}
