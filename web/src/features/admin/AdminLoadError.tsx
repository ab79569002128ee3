import type { ReactNode } from "react";
import { errorReference, errorWords } from "../../api/error-words.ts";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";

type AdminLoadErrorProps = { error: unknown; isRetrying: boolean; onRetry: () => void };

/** What a part of the admin's desk shows when it could not load, in SPEC's words. */
export function AdminLoadError({ error, isRetrying, onRetry }: AdminLoadErrorProps): ReactNode {
  return (
    <ErrorPanel
      message={`Error loading admin data: ${errorWords(error)}`}
      reference={errorReference(error)}
      isRetrying={isRetrying}
      onRetry={onRetry}
      retryLabel="Try Again"
    />
  );
}
