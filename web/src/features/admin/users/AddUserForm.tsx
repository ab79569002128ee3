import { Button, Checkbox, Group, NativeSelect, PasswordInput, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ChangeEvent, useRef, useState } from "react";
import { adminUsersQuery, createUser, newUserPasswordQuery } from "../../../api/users.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { useAction } from "../../../api/use-action.ts";
import { copyText } from "../../../ui/copy-text.ts";
import { Form } from "../../../ui/form/Form.tsx";
import { FormProblem } from "../../../ui/form/FormProblem.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type NewUserFault, newUserFaultOf, type newUserSchema } from "@slabdesk/contract/api/people.ts";
import type { z } from "zod";
import { ApiError, errorMessage } from "../../../api/errors.ts";

const CREATED = "User created successfully! They can now login with their email and password.";
const EMPTY: NewUserDraft = { email: "", password: "", fullName: "", role: "user", mustChangePassword: true };

/** The initial password is either the shared default or a random password for this user, which is shown. */
export function AddUserForm({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const suggestion = useQuery(newUserPasswordQuery).data ?? null;
  const [typed, setTyped] = useState<Partial<NewUserDraft>>({});
  const [isShown, setShown] = useState<boolean | null>(null);
  const [fault, setFault] = useState<NewUserFault | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const draft = { ...EMPTY, ...(suggestion && { password: suggestion.password }), ...typed };
  const isMadeUp = typed.password === undefined && suggestion?.isDefault === false;
  const copyPassword = (): void => void copyText(draft.password, "the password");
  const creation = useAction({
    send: createUser,
    onDone: (user) => {
      queryClient.setQueryData(adminUsersQuery.queryKey, (users) => users && [...users, { ...user, scanCount: 0 }]);
      void queryClient.invalidateQueries({ queryKey: queryKeys.admin() });
      toast.offer({ id: "user-created", message: CREATED, action: { label: "Copy password", run: copyPassword } });
      onClose();
    },
  });
  const field = (name: NewUserFault["field"]) => ({
    name,
    value: draft[name],
    autoComplete: "off",
    error: fault?.field === name,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      setTyped({ ...typed, [name]: currentTarget.value });
      setFault(null);
    },
  });
  const submit = (): void => {
    const found = faultOf(draft);
    setFault(found);
    if (found === null) creation.run(draft);
    else form.current?.querySelector<HTMLInputElement>(`[name="${found.field}"]`)?.focus();
  };
  const problem = fault?.message ?? (creation.error === null ? null : creationFailure(creation.error));

  return (
    <Form ref={form} onSubmit={submit} aria-label="Add User">
      <TextInput label="Email" type="email" data-autofocus maxLength={254} {...field("email")} />
      <PasswordInput
        label="Password"
        maxLength={200}
        description={isMadeUp ? "For this user only. Copy it now. It won't be shown again." : undefined}
        visible={isShown ?? isMadeUp}
        onVisibilityChange={setShown}
        visibilityToggleButtonProps={{ "aria-label": "Show password", tabIndex: 0 }}
        {...field("password")}
      />
      <Button
        mt={-6}
        style={{ alignSelf: "flex-start" }}
        size="compact-sm"
        disabled={draft.password === ""}
        onClick={copyPassword}
      >
        Copy password
      </Button>
      <TextInput label="Full Name" maxLength={200} {...field("fullName")} />
      <NativeSelect
        label="Role"
        name="role"
        data={["user", "admin"]}
        value={draft.role}
        onChange={({ currentTarget }) => {
          setTyped({ ...typed, role: currentTarget.value === "admin" ? "admin" : "user" });
          setFault(null);
        }}
      />
      <Checkbox
        label="Must choose their own password at first sign-in"
        description="This password then works once, within a week."
        checked={draft.mustChangePassword}
        onChange={({ currentTarget }) => setTyped({ ...typed, mustChangePassword: currentTarget.checked })}
      />
      <FormProblem message={problem} />
      <Group gap="xs" justify="flex-end">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" loading={creation.isBusy}>
          Create
        </Button>
      </Group>
    </Form>
  );
}

type NewUserDraft = z.output<typeof newUserSchema>;

/** The first validation error of a draft and its field, trimmed as on the server; null if valid. */
export function faultOf({ email, password, fullName }: Pick<NewUserDraft, NewUserFault["field"]>): NewUserFault | null {
  return newUserFaultOf({ email: email.trim(), password, fullName: fullName.trim() });
}

/** Why the user wasn't created, with the server's message if there was a response. */
export function creationFailure(error: unknown): string {
  return error instanceof ApiError
    ? `Failed to create user: ${errorMessage(error)}`
    : "Failed to create user. Please try again.";
}
