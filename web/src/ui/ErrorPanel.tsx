import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./ErrorPanel.module.css";

type ErrorPanelProps = {
  /** What went wrong, in terms that staff understand. */
  message: string;
  /** A reference to quote when asking for help, such as a request id. */
  reference?: string | null;
  onRetry?: () => void;
  isRetrying?: boolean;
  retryLabel?: string;
};

/** Shown in a panel that couldn't load. Never shows a code or a stack trace. */
export function ErrorPanel({
  message,
  reference = null,
  onRetry,
  isRetrying = false,
  retryLabel = "Try again",
}: ErrorPanelProps): ReactNode {
  return (
    <div className={styles.panel} role="alert">
      <IconAlertTriangle className={styles.icon} size={20} stroke={1.75} aria-hidden="true" />
      <div className={styles.text}>
        <p className={styles.message}>{message}</p>
        {reference !== null && <p className={styles.reference}>{reference}</p>}
      </div>
      {onRetry !== undefined && (
        <Button onClick={onRetry} loading={isRetrying}>
          {retryLabel}
        </Button>
      )}
    </div>
  );
}
