import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCheck, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Tone } from "./tone.ts";

type Toast = {
  message: ReactNode;
  title?: string;
  id?: string;
  /** One action for the message. Running it closes the toast. */
  action?: { label: string; run: () => void };
  /** Also runs before the action. */
  onClose?: () => void;
};

type Offer = Toast & { id: string; action: NonNullable<Toast["action"]>; stays?: boolean };

function show(tone: Tone, Icon: typeof IconCheck, autoClose: number | false, options: Toast): void {
  const { action, message, ...toast } = options;
  const notification = {
    ...toast,
    autoClose,
    role: tone === "bad" ? "alert" : "status",
    message: action ? (
      <Group component="span" justify="space-between" gap="4px 12px">
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
      </Group>
    ) : (
      message
    ),
    icon: <Icon size={18} stroke={2} aria-hidden />,
    withBorder: false,
    closeButtonProps: { "aria-label": "Close message" },
    styles: { icon: { background: "transparent", color: "var(--tone)" } },
    attributes: { root: { "data-tone": tone } },
  };
  const id = notifications.show(notification);
  // `show` ignores a toast whose id is already shown.
  notifications.update({ ...notification, id });
}

/**
 * Short messages in the page's live region. Errors interrupt a screen reader and stay until closed; other messages are
 * polite and close automatically. A toast replaces the one with the same `id`.
 */
export const toast = {
  done: (toast: Toast): void => show("good", IconCheck, 5_000, toast),
  /** A message with an action. Stays a little longer, or until it is closed or its action runs. */
  offer: ({ stays = false, ...toast }: Offer): void => show("good", IconCheck, stays ? false : 10_000, toast),
  hide: notifications.hide,
  info: (toast: Toast): void => show("accent", IconInfoCircle, 6_000, toast),
  error: (toast: Toast): void => show("bad", IconAlertTriangle, false, toast),
};
