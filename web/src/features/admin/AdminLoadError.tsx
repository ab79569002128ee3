import type { ReactNode } from "react";
import { errorReference, errorMessage } from "../../api/error-messages.ts";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";

type AdminLoadErrorProps = { error: unknown; isRetrying: boolean; onRetry: () => void };

/** What a part of the admin's desk shows when it could not load, in SPEC's words. */
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
