import { Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import type { SignIn } from "@slabdesk/contract/api/people.ts";
import { type SubmitEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { FormCard } from "../../ui/form/FormCard.tsx";
import { FormProblem } from "../../ui/form/FormProblem.tsx";
import { CodeForm } from "./CodeForm.tsx";
import { SlabStack } from "./SlabStack.tsx";

type LoginScreenProps = {
  isBusy: boolean;
  /** Why the last try was refused, or why the user must sign in again. */
  message: string | null;
  /** The password was right, and the account has two-step sign-in. */
  needsCode: boolean;
  /** Someone is about to sign in. */
  onTyping: () => void;
  onSubmit: (credentials: SignIn) => void;
  /** Back from the code to email and password. */
  onStartAgain: () => void;
};

export function LoginScreen({ isBusy, message, needsCode, ...on }: LoginScreenProps): ReactNode {
  const { onTyping, onSubmit, onStartAgain } = on;
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const hasTried = useRef(false);
  const isBlank = email.trim() === "" || password.trim() === "";

  useEffect(() => emailField.current?.focus(), []);

  // Disabling the fields removed the focus. After a refusal, focus the password for the next try.
  useEffect(() => {
    if (isBusy || message === null || !hasTried.current) return;
    hasTried.current = false;
    passwordField.current?.focus();
  }, [isBusy, message]);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (isBusy || isBlank) return;
    hasTried.current = true;
    onSubmit({ email: email.trim(), password });
  }

  if (needsCode)
    return (
      <CodeForm
        isBusy={isBusy}
        message={message}
        onSubmit={(code) => onSubmit({ email: email.trim(), password, code })}
        onBack={() => {
          setPassword("");
          onStartAgain();
        }}
      />
    );

  return (
    <Group wrap="nowrap" justify="center" gap="5.5rem" w="100%">
      <FormCard
        title="Please sign in to access the application"
        hint="Enter your credentials to access the card grading tools"
      >
        <form onSubmit={submit} onChange={onTyping} noValidate>
          <Stack>
            <TextInput
              label="Email"
              type="email"
              name="email"
              placeholder="Enter your email"
              autoComplete="username"
              ref={emailField}
              size="md"
              value={email}
              disabled={isBusy}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <PasswordInput
              ref={passwordField}
              label="Password"
              name="password"
              placeholder="Enter your password"
              autoComplete="current-password"
              size="md"
              value={password}
              disabled={isBusy}
              visibilityToggleButtonProps={{ "aria-label": "Show password" }}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <FormProblem message={message} />
            <Button type="submit" variant="filled" size="md" fullWidth disabled={isBusy || isBlank}>
              {isBusy ? "Signing In..." : "Sign In"}
            </Button>
          </Stack>
        </form>
      </FormCard>
      <SlabStack />
    </Group>
  );
}
