import type { OneTimePassword, Profile, UserChange } from "@slabdesk/contract/api/people.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { adminUsersQuery, changeUser, resetPassword, resetTwoStep } from "../../../api/users.ts";
import { errorMessage } from "../../../api/error-messages.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { confirmDialog } from "../../../ui/confirm-dialog.tsx";
import { toast } from "../../../ui/toast.tsx";
import { nameOf } from "./user-messages.ts";

export type UserChanges = ReturnType<typeof useUserChanges>;

/** Account actions on other users. Each asks for confirmation, naming the user, except activation. */
export function useUserChanges(onOneTimePassword: (user: Profile, given: OneTimePassword) => void) {
  const queryClient = useQueryClient();
  const refresh = (): void => void queryClient.invalidateQueries({ queryKey: queryKeys.admin() });
  const showChange = (changed: Profile): void =>
    void queryClient.setQueryData(
      adminUsersQuery.queryKey,
      (users) => users && users.map((user) => (user.id === changed.id ? { ...user, ...changed } : user)),
    );
  const change = useMutation({
    mutationFn: ({ user, change }: { user: Profile; change: UserChange }) => changeUser(user.id, change),
    onSuccess: showChange,
    onError: (error, { change }) => {
      const what = change.isActive === undefined ? "role" : "status";
      toast.error({ id: "user-change", message: `Failed to update user ${what}: ${errorMessage(error)}` });
    },
    onSettled: refresh,
  });
  const resetting = useMutation({
    mutationFn: (user: Profile) => resetPassword(user.id),
    onSuccess: (given, user) => onOneTimePassword(user, given),
    onError: (error) =>
      toast.error({ id: "user-change", message: `Failed to reset the password: ${errorMessage(error)}` }),
    onSettled: refresh,
  });
  const twoStep = useMutation({
    mutationFn: (user: Profile) => resetTwoStep(user.id),
    onSuccess: showChange,
    onError: (error) =>
      toast.error({ id: "user-change", message: `Failed to reset two-step sign-in: ${errorMessage(error)}` }),
    onSettled: refresh,
  });
  const isChanging = change.isPending ? change.variables.user.id : null;

  return {
    /** The user being changed; null if none. */
    busyId: resetting.isPending ? resetting.variables.id : isChanging,
    toggleActive: async (user: Profile) => {
      if (user.isActive && !(await confirmDialog(deactivation(user)))) return;
      change.mutate({ user, change: { isActive: !user.isActive } });
    },
    toggleRole: async (user: Profile) => {
      if (await confirmDialog(roleChange(user)))
        change.mutate({ user, change: { role: user.role === "admin" ? "user" : "admin" } });
    },
    reset: async (user: Profile) => {
      if (await confirmDialog(passwordReset(user))) resetting.mutate(user);
    },
    resetTwoStep: async (user: Profile) => {
      if (await confirmDialog(twoStepReset(user))) twoStep.mutate(user);
    },
  };
}

type Question = Parameters<typeof confirmDialog>[0];

function deactivation(user: Profile): Question {
  return {
    title: `Deactivate ${nameOf(user)}?`,
    message: `${user.email} is signed out everywhere at once and cannot sign in until the account is activated again. Running sessions go on, and everything stays saved.`,
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
        message: `${user.email} then sees everybody's sessions and activity, manages users and pauses sources.`,
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
    message: `${user.email} is signed out everywhere and the present password ends. You get a one-time password to hand over; it is shown once. Running sessions go on.`,
    confirmLabel: "Reset password",
    isDestructive: true,
  };
}
