import { modals } from "@mantine/modals";
import type { ReactNode } from "react";
import classes from "./confirm-dialog.module.css";

type Confirmation = {
  /** The question, naming the thing. */
  title: string;
  /** What happens, and what does not. */
  message: ReactNode;
  /** The verb on the button. */
  confirmLabel: string;
  cancelLabel?: string;
  /** Red for what cannot be undone. */
  isDestructive?: boolean;
};

/** Asks in a dialog of the page and answers true only for the confirm button; Esc, the scrim and Cancel are no. */
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
      children: <div className={classes.message}>{message}</div>,
      labels: { confirm: confirmLabel, cancel: cancelLabel },
      confirmProps: { variant: "filled", ...(isDestructive ? { color: "bad" } : {}) },
      cancelProps: { "data-autofocus": isDestructive ? true : undefined },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    });
  });
}
