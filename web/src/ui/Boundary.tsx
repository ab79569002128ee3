import { Box } from "@mantine/core";
import { Component, type ReactNode, Suspense } from "react";
import { ErrorPanel } from "./ErrorPanel.tsx";

/** A part of the page that could not be loaded. The message says why. */
export class PartNotLoadedError extends Error {
  override readonly name = "PartNotLoadedError";
}

export function reloadPage(): void {
  window.location.reload();
}

type BoundaryProps = {
  name: string;
  /** A new value tries again. */
  resetKey?: unknown;
  fallback?: ReactNode;
  /** Shown while a lazy part in it loads. */
  loading?: ReactNode;
  onError?: (error: unknown) => void;
  children: ReactNode;
};

type BoundaryState = { failure: { error: unknown } | null; resetKey: unknown };

/** Keeps an error in one part of the page away from the others. The part shows the error and can try again. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override readonly state: BoundaryState = { failure: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ resetKey }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return Object.is(resetKey, state.resetKey) ? null : { failure: null, resetKey };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError?.(error);
  }

  override render() {
    const { name, fallback, loading, children } = this.props;
    const { failure } = this.state;
    if (failure === null) return loading === undefined ? children : <Suspense fallback={loading}>{children}</Suspense>;
    if (fallback !== undefined) return fallback;
    return (
      <Box p="sm">
        {failure.error instanceof PartNotLoadedError ? (
          <ErrorPanel message={failure.error.message} retryLabel="Reload" onRetry={reloadPage} />
        ) : (
          <ErrorPanel
            message={`${name} can't be shown because of an error in Slabdesk. The rest of the page still works.`}
            onRetry={() => this.setState({ failure: null })}
          />
        )}
      </Box>
    );
  }
}
