import { modals } from "@mantine/modals";
import type { ReactNode } from "react";
import styles from "./confirm-dialog.module.css";

type Confirmation = {
  /** The question, including the object's name. */
  title: string;
  /** The consequences, and what stays unchanged. */
  message: ReactNode;
  /** The verb on the confirm button. */
  confirmLabel: string;
  cancelLabel?: string;
  /** Red, for actions that can't be undone. */
  isDestructive?: boolean;
};

/**
 * Opens a confirmation dialog. Resolves to true only for the confirm button; Esc, the backdrop and Cancel give false.
 */
export function confirmDialog({
  title,
  message,
  confirmLabel,
  cancelLabel = "Cancel",
  isDestructive = false,
}: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: <div className={styles.message}>{message}</div>,
      labels: { confirm: confirmLabel, cancel: cancelLabel },
      confirmProps: { variant: "filled", ...(isDestructive ? { color: "bad" } : {}) },
      cancelProps: { "data-autofocus": isDestructive ? true : undefined },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    });
  });
}
