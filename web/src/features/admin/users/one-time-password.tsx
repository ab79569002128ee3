import { Button, Group, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconCopy } from "@tabler/icons-react";
import type { OneTimePassword, Profile } from "@slabdesk/contract/api/people.ts";
import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import { copyText } from "../../../ui/copy-text.ts";
import { nameOf } from "./user-messages.ts";
import styles from "./users.module.css";

/** Shows the password once. Only the dialog's buttons close it, not Escape or a click outside. */
export function showOneTimePassword(user: Profile, { password, until }: OneTimePassword): void {
  modals.open({
    title: `One-time password of ${nameOf(user)}`,
    size: "28rem",
    closeOnClickOutside: false,
    closeOnEscape: false,
    children: (
      <>
        <Group gap="sm" justify="space-between" wrap="nowrap" p="sm" pl="md" bg="var(--sd-fill)" bdrs="md">
          <output className={styles.password} aria-label="One-time password">
            {password}
          </output>
          <Button
            data-autofocus
            leftSection={<IconCopy size={16} stroke={1.75} aria-hidden="true" />}
            onClick={() => void copyText(password, "the one-time password")}
          >
            Copy
          </Button>
        </Group>
        <Text m="14px 0 20px" c="dimmed" fz="sm" lh={1.5}>
          Hand it over now. It won't be shown again. It works for one sign-in until {formatMoment(until)}. Then{" "}
          {nameOf(user)} chooses a password of their own.
        </Text>
        <Group justify="flex-end">
          <Button variant="filled" onClick={() => modals.closeAll()}>
            Done
          </Button>
        </Group>
      </>
    ),
  });
}
