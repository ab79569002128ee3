import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCheck, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./toast.module.css";

type Toast = { message: ReactNode; title?: string; id?: string };

const ICON = { size: 18, stroke: 2, "aria-hidden": true } as const;

function show(
  toast: Toast,
  look: { icon: ReactNode; tone: string; role: "status" | "alert"; autoClose: number | false },
): void {
  notifications.show({
    ...toast,
    icon: look.icon,
    role: look.role,
    autoClose: look.autoClose,
    withBorder: false,
    closeButtonProps: { "aria-label": "Close message" },
    classNames: { icon: classes.icon ?? "" },
    attributes: { root: { "data-tone": look.tone } },
  });
}

/**
 * Short messages that come and go in the page's live region. Errors interrupt a screen reader and stay until closed;
 * the rest wait their turn and leave by themselves. A toast of the same `id` is shown once.
 */
export const toast = {
  done: (toast: Toast): void =>
    show(toast, { icon: <IconCheck {...ICON} />, tone: "good", role: "status", autoClose: 5_000 }),
  info: (toast: Toast): void =>
    show(toast, { icon: <IconInfoCircle {...ICON} />, tone: "accent", role: "status", autoClose: 6_000 }),
  error: (toast: Toast): void =>
    show(toast, { icon: <IconAlertTriangle {...ICON} />, tone: "bad", role: "alert", autoClose: false }),
};
