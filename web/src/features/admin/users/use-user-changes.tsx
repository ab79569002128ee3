import { Button, Group, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconCopy } from "@tabler/icons-react";
import type { OneTimePassword, Profile, UserChange } from "@slabdesk/contract/api/people.ts";
import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import { useQueryClient } from "@tanstack/react-query";
import { adminUsersQuery, changeUser, resetPassword, resetTwoStep } from "../../../api/users.ts";
import { errorMessage } from "../../../api/errors.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { useAction } from "../../../api/use-action.ts";
import { confirmDialog } from "../../../ui/confirm-dialog.tsx";
import { copyText } from "../../../ui/copy-text.ts";
import { nameOf } from "./user-messages.ts";
import styles from "./users.module.css";

export type UserChanges = ReturnType<typeof useUserChanges>;

type Change = { user: Profile; what: string; send: () => Promise<unknown> };
type Question = (user: Profile) => Parameters<typeof confirmDialog>[0];

/** Account actions on other users. Each asks for confirmation, naming the user, except activation. */
export function useUserChanges() {
  const queryClient = useQueryClient();
  const { run, pending } = useAction({
    send: ({ send }: Change) => send(),
    keyOf: userOf,
    failure: ({ what }, error) => ({ id: "user-change", message: `Failed to ${what}: ${errorMessage(error)}` }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: queryKeys.admin() }),
  });
  const showChange = (changed: Profile): void =>
    void queryClient.setQueryData(adminUsersQuery.queryKey, (users) =>
      users?.map((user) => (user.id === changed.id ? { ...user, ...changed } : user)),
    );
  const ask = async (user: Profile, question: Question | null, what: string, send: Change["send"]): Promise<void> => {
    if (question === null || (await confirmDialog(question(user)))) run({ user, what, send });
  };
  const change = async (user: Profile, changes: UserChange): Promise<void> =>
    showChange(await changeUser(user.id, changes));

  return {
    busyIds: pending.map(userOf),
    toggleActive: (user: Profile) =>
      ask(user, user.isActive ? QUESTIONS.deactivate : null, "update user status", () =>
        change(user, { isActive: !user.isActive }),
      ),
    toggleRole: (user: Profile) =>
      user.role === "admin"
        ? ask(user, QUESTIONS.makeUser, "update user role", () => change(user, { role: "user" }))
        : ask(user, QUESTIONS.makeAdmin, "update user role", () => change(user, { role: "admin" })),
    reset: (user: Profile) =>
      ask(user, QUESTIONS.resetPassword, "reset the password", async () =>
        showOneTimePassword(user, await resetPassword(user.id)),
      ),
    resetTwoStep: (user: Profile) =>
      ask(user, QUESTIONS.resetTwoStep, "reset two-step sign-in", async () => showChange(await resetTwoStep(user.id))),
  };
}

const userOf = ({ user }: Change): string => user.id;

const QUESTIONS = {
  deactivate: (user) => ({
    title: `Deactivate ${nameOf(user)}?`,
    message: `${user.email} is signed out everywhere at once and cannot sign in until the account is activated again. Running sessions continue, and everything stays saved.`,
    confirmLabel: "Deactivate",
    isDestructive: true,
  }),
  makeUser: (user) => ({
    title: `Make ${nameOf(user)} a user?`,
    message: `${user.email} loses the Admin tab at once and sees only sessions of their own.`,
    confirmLabel: "Make user",
  }),
  makeAdmin: (user) => ({
    title: `Make ${nameOf(user)} an administrator?`,
    message: `${user.email} then sees everyone's sessions and activity, manages users and pauses sources.`,
    confirmLabel: "Make administrator",
  }),
  resetTwoStep: (user) => ({
    title: `Reset the two-step sign-in of ${nameOf(user)}?`,
    message: `${user.email} then signs in with only the password, and can set up two-step sign-in again. Make sure that the request really comes from this person.`,
    confirmLabel: "Reset two-step sign-in",
    isDestructive: true,
  }),
  resetPassword: (user) => ({
    title: `Reset the password of ${nameOf(user)}?`,
    message: `${user.email} is signed out everywhere and the current password stops working. You get a one-time password to hand over. It is shown once. Running sessions continue.`,
    confirmLabel: "Reset password",
    isDestructive: true,
  }),
} satisfies Record<string, Question>;

/** Shows the password once. Only the dialog's buttons close it, not Escape or a click outside. */
function showOneTimePassword(user: Profile, { password, until }: OneTimePassword): void {
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
