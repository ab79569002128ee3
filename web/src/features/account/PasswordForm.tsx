import { Button, PasswordInput, Stack } from "@mantine/core";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { type ReactNode, useEffect } from "react";
import { FormProblem } from "../../ui/form/FormProblem.tsx";
import type { PasswordFields } from "./new-password.ts";
import { usePasswordChange } from "./use-password-change.ts";

type PasswordFormProps = {
  profile: Profile;
  /** False after a sign-in with a one-time password. */
  asksCurrent: boolean;
  onChanged: (profile: Profile) => void;
};

/** New-password form with a repeated entry. */
export function PasswordForm({ profile, asksCurrent, onChanged }: PasswordFormProps): ReactNode {
  const form = usePasswordChange({ asksCurrent, onChanged });
  const { formRef } = form;
  useEffect(() => {
    // Without the current password, the form is all there is on the screen.
    if (!asksCurrent) formRef.current?.querySelector<HTMLInputElement>('input[type="password"]')?.focus();
  }, [asksCurrent, formRef]);

  const field = (name: PasswordFields, label: string, autoComplete: string): ReactNode => (
    <PasswordInput
      label={label}
      name={name}
      autoComplete={autoComplete}
      maxLength={200}
      value={form.draft[name]}
      error={form.faults[name]}
      readOnly={form.isBusy}
      visibilityToggleButtonProps={{ "aria-label": `Show ${label.toLowerCase()}`, tabIndex: 0 }}
      onChange={(event) => form.type(name, event.currentTarget.value)}
    />
  );
  return (
    <form ref={formRef} onSubmit={form.submit} noValidate>
      {/* Tells the browser's password manager which user this is. */}
      <input type="text" name="username" autoComplete="username" value={profile.email} readOnly hidden />
      <Stack>
        {asksCurrent && field("currentPassword", "Current password", "current-password")}
        {field("newPassword", "New password", "new-password")}
        {field("repeated", "Repeat new password", "new-password")}
        <FormProblem message={form.problem} />
        <Button type="submit" variant="filled" loading={form.isBusy}>
          {asksCurrent ? "Change password" : "Save and continue"}
        </Button>
      </Stack>
    </form>
  );
}
