import { CHOSEN_PASSWORD_MESSAGES, MIN_CHOSEN_PASSWORD_LENGTH } from "@slabdesk/contract/api/people.ts";

type PasswordFields = "currentPassword" | "newPassword" | "repeated";
export type PasswordDraft = Record<PasswordFields, string>;
export type PasswordFaults = Partial<Record<PasswordFields, string | undefined>>;

export const EMPTY_DRAFT: PasswordDraft = { currentPassword: "", newPassword: "", repeated: "" };

/** Validation messages for a new password, by field; empty if it is valid. */
export function faultsOf(draft: PasswordDraft, { asksCurrent }: { asksCurrent: boolean }): PasswordFaults {
  const isShort = draft.newPassword.trim().length < MIN_CHOSEN_PASSWORD_LENGTH;
  return {
    ...(asksCurrent && draft.currentPassword === "" ? { currentPassword: "Please enter your current password" } : {}),
    ...(isShort ? { newPassword: CHOSEN_PASSWORD_MESSAGES.short } : {}),
    ...(!isShort && draft.repeated !== draft.newPassword ? { repeated: "The passwords don't match" } : {}),
  };
}
