import "@mantine/core/styles/Notification.layer.css";
import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";
import type { ReactNode } from "react";

export function Toasts(): ReactNode {
  return <Notifications position="bottom-right" limit={4} containerWidth={400} />;
}
