import type { Profile, UserChange } from "@slabdesk/contract/api/people.ts";
import { useQueryClient } from "@tanstack/react-query";
import { adminUsersQuery, changeUser, resetPassword, resetTwoStep } from "../../../api/users.ts";
import { errorMessage } from "../../../api/error-messages.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { useAction } from "../../../run/use-action.ts";
import { confirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showOneTimePassword } from "./one-time-password.tsx";
import { nameOf } from "./user-messages.ts";

export type UserChanges = ReturnType<typeof useUserChanges>;

type Change = { user: Profile; what: string; send: () => Promise<unknown> };
type Question = Parameters<typeof confirmDialog>[0];

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
    if (question === null || (await confirmDialog(question))) run({ user, what, send });
  };
  const change = async (user: Profile, changes: UserChange): Promise<void> =>
    showChange(await changeUser(user.id, changes));

  return {
    busyIds: pending.map(userOf),
    toggleActive: (user: Profile) =>
      ask(user, user.isActive ? deactivation(user) : null, "update user status", () =>
        change(user, { isActive: !user.isActive }),
      ),
    toggleRole: (user: Profile) =>
      ask(user, roleChange(user), "update user role", () =>
        change(user, { role: user.role === "admin" ? "user" : "admin" }),
      ),
    reset: (user: Profile) =>
      ask(user, passwordReset(user), "reset the password", async () =>
        showOneTimePassword(user, await resetPassword(user.id)),
      ),
    resetTwoStep: (user: Profile) =>
      ask(user, twoStepReset(user), "reset two-step sign-in", async () => showChange(await resetTwoStep(user.id))),
  };
}

const userOf = ({ user }: Change): string => user.id;

function deactivation(user: Profile): Question {
  return {
    title: `Deactivate ${nameOf(user)}?`,
    message: `${user.email} is signed out everywhere at once and cannot sign in until the account is activated again. Running sessions continue, and everything stays saved.`,
    confirmLabel: "Deactivate",
    isDestructive: true,
  };
}

function roleChange(user: Profile): Question {
  return user.role === "admin"
    ? {
        title: `Make ${nameOf(user)} a user?`,
        message: `${user.email} loses the Admin tab at once and sees only sessions of their own.`,
        confirmLabel: "Make user",
      }
    : {
        title: `Make ${nameOf(user)} an administrator?`,
        message: `${user.email} then sees everyone's sessions and activity, manages users and pauses sources.`,
        confirmLabel: "Make administrator",
      };
}

function twoStepReset(user: Profile): Question {
  return {
    title: `Reset the two-step sign-in of ${nameOf(user)}?`,
    message: `${user.email} then signs in with only the password, and can set up two-step sign-in again. Make sure that the request really comes from this person.`,
    confirmLabel: "Reset two-step sign-in",
    isDestructive: true,
  };
}

function passwordReset(user: Profile): Question {
  return {
    title: `Reset the password of ${nameOf(user)}?`,
    message: `${user.email} is signed out everywhere and the current password stops working. You get a one-time password to hand over. It is shown once. Running sessions continue.`,
    confirmLabel: "Reset password",
    isDestructive: true,
  };
}
