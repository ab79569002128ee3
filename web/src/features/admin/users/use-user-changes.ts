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
    void queryClient.setQueryData(
      adminUsersQuery.queryKey,
      (users) => users && users.map((user) => (user.id === changed.id ? { ...user, ...changed } : user)),
    );
  const change = (user: Profile, what: "role" | "status", changes: UserChange): void =>
    run({ user, what: `update user ${what}`, send: async () => showChange(await changeUser(user.id, changes)) });

  return {
    busyIds: pending.map(userOf),
    toggleActive: async (user: Profile) => {
      if (user.isActive && !(await confirmDialog(deactivation(user)))) return;
      change(user, "status", { isActive: !user.isActive });
    },
    toggleRole: async (user: Profile) => {
      if (await confirmDialog(roleChange(user)))
        change(user, "role", { role: user.role === "admin" ? "user" : "admin" });
    },
    reset: async (user: Profile) => {
      if (!(await confirmDialog(passwordReset(user)))) return;
      const send = async (): Promise<void> => showOneTimePassword(user, await resetPassword(user.id));
      run({ user, what: "reset the password", send });
    },
    resetTwoStep: async (user: Profile) => {
      if (!(await confirmDialog(twoStepReset(user)))) return;
      const send = async (): Promise<void> => showChange(await resetTwoStep(user.id));
      run({ user, what: "reset two-step sign-in", send });
    },
  };
}

const userOf = ({ user }: Change): string => user.id;

type Question = Parameters<typeof confirmDialog>[0];

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
