import { Button, PasswordInput } from "@mantine/core";
import { CHOSEN_PASSWORD_MESSAGES, MIN_CHOSEN_PASSWORD_LENGTH, type Profile } from "@slabdesk/contract/api/people.ts";
import { useEffect, useRef, useState } from "react";
import { changePassword } from "../../api/account.ts";
import { ApiError } from "../../api/errors.ts";
import { useAction } from "../../api/use-action.ts";
import { Form } from "../../ui/form/Form.tsx";
import { FormProblem } from "../../ui/form/FormProblem.tsx";

const FIELDS = [
  { name: "currentPassword", label: "Current password", autoComplete: "current-password" },
  { name: "newPassword", label: "New password", autoComplete: "new-password" },
  { name: "repeated", label: "Repeat new password", autoComplete: "new-password" },
] as const;

type PasswordFormProps = {
  profile: Profile;
  /** False after a sign-in with a one-time password. */
  asksCurrent: boolean;
  onChanged: (profile: Profile) => void;
};

/** New-password form with a repeated entry. Validates locally first, then shows the server's messages. */
export function PasswordForm({ profile, asksCurrent, onChanged }: PasswordFormProps) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [faults, setFaults] = useState<PasswordFaults>({});
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Without the current password, the form is all there is on the screen.
    if (!asksCurrent) form.current?.querySelector<HTMLInputElement>('input[type="password"]')?.focus();
  }, [asksCurrent]);
  const show = (found: PasswordFaults): void => {
    setFaults(found);
    const first = FIELDS.find(({ name }) => found[name] !== undefined);
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`[name="${first.name}"]`)?.focus();
  };
  const { run, isBusy, error, problem } = useAction({
    send: changePassword,
    onDone: (changed) => {
      setDraft(EMPTY_DRAFT);
      onChanged(changed);
    },
    onFailed: (refusal) => show(refusedFields(refusal)),
  });
  const submit = (): void => {
    const found = faultsOf(draft, { asksCurrent });
    show(found);
    if (Object.keys(found).length > 0) return;
    const { currentPassword, newPassword } = draft;
    run(asksCurrent ? { currentPassword, newPassword } : { newPassword });
  };
  return (
    <Form ref={form} onSubmit={submit}>
      {/* Tells the browser's password manager which user this is. */}
      <input type="text" name="username" autoComplete="username" value={profile.email} readOnly hidden />
      {FIELDS.slice(asksCurrent ? 0 : 1).map(({ name, label, autoComplete }) => (
        <PasswordInput
          key={name}
          label={label}
          name={name}
          autoComplete={autoComplete}
          maxLength={200}
          value={draft[name]}
          error={faults[name]}
          readOnly={isBusy}
          visibilityToggleButtonProps={{ "aria-label": `Show ${label.toLowerCase()}`, tabIndex: 0 }}
          onChange={(event) => {
            setDraft({ ...draft, [name]: event.currentTarget.value });
            setFaults({ ...faults, [name]: undefined });
          }}
        />
      ))}
      {/* An error that belongs to no field. */}
      <FormProblem message={Object.keys(refusedFields(error)).length > 0 ? null : problem} />
      <Button type="submit" variant="filled" loading={isBusy}>
        {asksCurrent ? "Change password" : "Save and continue"}
      </Button>
    </Form>
  );
}

function refusedFields(error: unknown): PasswordFaults {
  return error instanceof ApiError ? error.fields : {};
}

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
