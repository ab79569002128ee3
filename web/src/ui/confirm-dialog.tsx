import { Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import type { ReactNode } from "react";

type Confirmation = {
  title: string;
  /** The consequences, and what stays unchanged. */
  message: ReactNode;
  confirmLabel: string;
  isDestructive?: boolean;
};

const { promise: ready, resolve: setReady } = Promise.withResolvers<void>();

/** Call this when the page can show dialogs, which are loaded after the page. */
export { setReady as setDialogsReady };

/** Opens a confirmation dialog. Resolves to true only for the confirm button, not for Esc, the backdrop and Cancel. */
export async function confirmDialog(confirmation: Confirmation): Promise<boolean> {
  const { title, message, confirmLabel, isDestructive = false } = confirmation;
  await ready;
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: (
        <Text component="div" mb="1.25rem" lh={1.5} c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {message}
        </Text>
      ),
      labels: { confirm: confirmLabel, cancel: "Cancel" },
      confirmProps: { variant: "filled", ...(isDestructive ? { color: "bad" } : {}) },
      cancelProps: { "data-autofocus": isDestructive ? true : undefined },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    });
  });
}
