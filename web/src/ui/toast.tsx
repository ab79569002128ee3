import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCheck, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./toast.module.css";

type Toast = {
  message: ReactNode;
  title?: string;
  id?: string;
  /** One action for the message. Running it closes the toast. */
  action?: { label: string; run: () => void };
};

const ICON = { size: 18, stroke: 2, "aria-hidden": true } as const;

function show(
  { action, message, ...toast }: Toast,
  look: { icon: ReactNode; tone: string; role: "status" | "alert"; autoClose: number | false },
): void {
  const id = notifications.show({
    ...toast,
    message: action ? (
      <span className={styles.line}>
        {message}
        <Button
          size="compact-xs"
          onClick={() => {
            notifications.hide(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      </span>
    ) : (
      message
    ),
    icon: look.icon,
    role: look.role,
    autoClose: look.autoClose,
    withBorder: false,
    closeButtonProps: { "aria-label": "Close message" },
    classNames: { icon: styles.icon ?? "" },
    attributes: { root: { "data-tone": look.tone } },
  });
}

/**
 * Short messages in the page's live region. Errors interrupt a screen reader and stay until closed; other messages are
 * polite and close automatically. Toasts with the same `id` are shown once.
 */
export const toast = {
  done: (toast: Toast): void =>
    show(toast, { icon: <IconCheck {...ICON} />, tone: "good", role: "status", autoClose: 5_000 }),
  /** A message with an action. Stays a little longer. */
  offer: (toast: Toast & { id: string; action: NonNullable<Toast["action"]> }): void =>
    show(toast, { icon: <IconCheck {...ICON} />, tone: "good", role: "status", autoClose: 10_000 }),
  hide: (id: string): void => {
    notifications.hide(id);
  },
  info: (toast: Toast): void =>
    show(toast, { icon: <IconInfoCircle {...ICON} />, tone: "accent", role: "status", autoClose: 6_000 }),
  error: (toast: Toast): void =>
    show(toast, { icon: <IconAlertTriangle {...ICON} />, tone: "bad", role: "alert", autoClose: false }),
};
