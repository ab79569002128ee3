import { Button, Group, Modal, Text } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import type { OneTimePassword, Profile } from "@slabdesk/contract/api/people.ts";
import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import type { ReactNode } from "react";
import { copyText } from "../../../ui/copy-text.ts";
import styles from "./dialogs.module.css";
import { nameOf } from "./user-messages.ts";

export type GivenPassword = { user: Profile; given: OneTimePassword };

type OneTimePasswordDialogProps = { given: GivenPassword | null; onClose: () => void };

/** Shows the password once. Only its buttons close it, not Escape or a click outside. */
export function OneTimePasswordDialog({ given, onClose }: OneTimePasswordDialogProps): ReactNode {
  return (
    <Modal
      opened={given !== null}
      onClose={onClose}
      title={given === null ? "" : `One-time password of ${nameOf(given.user)}`}
      size="28rem"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {given !== null && (
        <>
          <Group gap="sm" justify="space-between" wrap="nowrap" p="sm" pl="md" bg="var(--sd-fill)" bdrs="md">
            <output className={styles.text} aria-label="One-time password">
              {given.given.password}
            </output>
            <Button
              data-autofocus
              leftSection={<IconCopy size={16} stroke={1.75} aria-hidden="true" />}
              onClick={() => void copyText(given.given.password, "the one-time password")}
            >
              Copy
            </Button>
          </Group>
          <Text m="14px 0 20px" c="dimmed" fz="sm" lh={1.5}>
            Hand it over now. It won't be shown again. It works for one sign-in until {formatMoment(given.given.until)}.
            Then {nameOf(given.user)} chooses a password of their own.
          </Text>
          <Group justify="flex-end">
            <Button variant="filled" onClick={onClose}>
              Done
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
