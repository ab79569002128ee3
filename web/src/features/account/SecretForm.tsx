import { Button, PasswordInput, TextInput } from "@mantine/core";
import { type ChangeEvent, useState } from "react";
import { ApiError } from "../../api/errors.ts";
import { useAction } from "../../api/use-action.ts";
import { Form } from "../../ui/form/Form.tsx";
import { FormProblem } from "../../ui/form/FormProblem.tsx";

type SecretFormProps<Answer> = {
  /** The field in the request, and its kind. */
  field: "password" | "code";
  label: string;
  submitLabel: string;
  send: (secret: string) => Promise<Answer>;
  onDone: (answer: Answer) => void;
  leave: { label: string; run: () => void };
};

/** A form with one field: the password or a code. */
export function SecretForm<Answer>(form: SecretFormProps<Answer>) {
  const { field, label, submitLabel, leave, ...action } = form;
  const [secret, setSecret] = useState("");
  const { run, isBusy, error, problem, reset } = useAction(action);
  const fault = error instanceof ApiError ? error.fields[field] : undefined;
  const props = {
    label,
    name: field,
    value: secret,
    error: fault,
    readOnly: isBusy,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      setSecret(currentTarget.value);
      reset();
    },
  };
  return (
    <Form onSubmit={() => secret.trim() !== "" && run(secret)}>
      {field === "password" ? (
        <PasswordInput
          {...props}
          maxLength={200}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ "aria-label": `Show ${label.toLowerCase()}`, tabIndex: 0 }}
        />
      ) : (
        <TextInput {...props} maxLength={40} inputMode="numeric" autoComplete="one-time-code" />
      )}
      <FormProblem message={fault === undefined ? problem : null} />
      <Button type="submit" variant="filled" loading={isBusy} disabled={secret.trim() === ""}>
        {submitLabel}
      </Button>
      <Button variant="subtle" fullWidth onClick={leave.run}>
        {leave.label}
      </Button>
    </Form>
  );
}
