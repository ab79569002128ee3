import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./session-actions.module.css";

type ActionProps = {
  onPress: () => void;
  /** A request is in progress. Uses `aria-disabled`, so that the pressed button keeps the focus. */
  isBusy?: boolean;
  isMain?: boolean;
  /** For a toggle button that filters the table. */
  isPressed?: boolean;
  children: ReactNode;
};

/** A small button for a session action. */
export function Action({ onPress, isBusy = false, isMain = false, isPressed, children }: ActionProps) {
  return (
    <Button
      size="compact-sm"
      className={styles.small}
      variant={isMain ? "filled" : "default"}
      aria-disabled={isBusy}
      aria-pressed={isPressed}
      onClick={() => {
        if (!isBusy) onPress();
      }}
    >
      {children}
    </Button>
  );
}
