import { MIN_PASSWORD_LENGTH, NEW_USER_MESSAGES } from "@slabdesk/contract/api/people.ts";

export type PasswordFields = "currentPassword" | "newPassword" | "repeated";
export type PasswordDraft = Record<PasswordFields, string>;
export type PasswordFaults = Partial<Record<PasswordFields, string>>;

export const EMPTY_DRAFT: PasswordDraft = { currentPassword: "", newPassword: "", repeated: "" };

/** Validation messages for a new password, by field; empty if it is valid. */
export function faultsOf(draft: PasswordDraft, { asksCurrent }: { asksCurrent: boolean }): PasswordFaults {
  return {
    ...(asksCurrent && draft.currentPassword === "" ? { currentPassword: "Please enter your current password" } : {}),
    ...(draft.newPassword.length < MIN_PASSWORD_LENGTH ? { newPassword: NEW_USER_MESSAGES.password } : {}),
    ...(draft.newPassword.length >= MIN_PASSWORD_LENGTH && draft.repeated !== draft.newPassword
      ? { repeated: "This is not the same password" }
      : {}),
  };
}
