import type { ReactNode } from "react";
import { errorReference, errorMessage } from "../../api/error-messages.ts";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";

/** What a part of the admin tab loads; a query of TanStack Query is one. */
export type Load = { error: unknown; isFetching: boolean; refetch: () => unknown };

/** Shown if a part of the admin tab fails to load. */
export function AdminLoadError({ query: { error, isFetching, refetch } }: { query: Load }): ReactNode {
  return (
    <ErrorPanel
      message={`Error loading admin data: ${errorMessage(error)}`}
      reference={errorReference(error)}
      isRetrying={isFetching}
      onRetry={() => void refetch()}
      retryLabel="Try Again"
    />
  );
}
