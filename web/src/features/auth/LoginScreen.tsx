import { Box, Button, Group, PasswordInput, TextInput } from "@mantine/core";
import type { SignIn } from "@slabdesk/contract/api/people.ts";
import { useEffect, useRef, useState } from "react";
import { FormCard } from "../../ui/form/FormCard.tsx";
import { Form } from "../../ui/form/Form.tsx";
import { FormProblem } from "../../ui/form/FormProblem.tsx";

type LoginScreenProps = {
  isBusy: boolean;
  /** Why the last try was refused, or why the user must sign in again. */
  message: string | null;
  /** The password was right, and the account has two-step sign-in. */
  needsCode: boolean;
  onTyping: () => void;
  onSubmit: (credentials: SignIn) => void;
  onStartAgain: () => void;
};

export function LoginScreen(props: LoginScreenProps) {
  const { isBusy, message, needsCode, onTyping, onSubmit, onStartAgain } = props;
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

  function submit(): void {
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
        <Form onSubmit={submit} onChange={onTyping}>
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
        </Form>
      </FormCard>
      <SlabStack />
    </Group>
  );
}

type CodeFormProps = { isBusy: boolean; message: string | null; onSubmit: (code: string) => void; onBack: () => void };

function CodeForm({ isBusy, message, onSubmit, onBack }: CodeFormProps) {
  const [code, setCode] = useState("");
  const [usesApp, setUsesApp] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  // Disabling the field removes the focus.
  useEffect(() => {
    if (!isBusy) field.current?.select();
  }, [isBusy]);
  return (
    <FormCard
      title="Two-step sign-in"
      hint={
        usesApp ? "Enter the six digits that your authenticator app shows." : "Enter one of your unused recovery codes."
      }
    >
      <Form onSubmit={() => !isBusy && code.trim() !== "" && onSubmit(code)}>
        <TextInput
          ref={field}
          label={usesApp ? "Code" : "Recovery code"}
          name="code"
          size="md"
          maxLength={40}
          inputMode={usesApp ? "numeric" : "text"}
          autoComplete={usesApp ? "one-time-code" : "off"}
          value={code}
          disabled={isBusy}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <FormProblem message={message} />
        <Button type="submit" variant="filled" size="md" fullWidth disabled={isBusy || code.trim() === ""}>
          {isBusy ? "Signing In..." : "Sign In"}
        </Button>
        <Button
          variant="subtle"
          disabled={isBusy}
          onClick={() => {
            setUsesApp(!usesApp);
            setCode("");
            field.current?.focus();
          }}
        >
          {usesApp ? "Use a recovery code" : "Use the authenticator app"}
        </Button>
        <Button variant="subtle" disabled={isBusy} onClick={onBack}>
          Back
        </Button>
      </Form>
    </FormCard>
  );
}

const SLABS = [
  { color: "var(--sd-tag)", turn: "rotate(9 150 190) translate(74 6)" },
  { color: "var(--sd-cgc)", turn: "rotate(1 150 190) translate(36 16)" },
  { color: "var(--sd-psa)", turn: "rotate(-7 150 190) translate(-2 30)" },
] as const;
const CASE = {
  fill: "var(--sd-surface)",
  stroke: "var(--sd-line)",
  strokeWidth: 1.5,
  style: { filter: "drop-shadow(0 6px 16px rgb(21 23 28 / 7%))" },
};

/** The company's color on the surface. */
const tint = (percent: number): string => `color-mix(in oklab, currentcolor ${percent}%, var(--sd-surface))`;

/** Three slabs, one per company: decoration of the login screen on wide screens. */
function SlabStack() {
  return (
    <Box
      component="svg"
      visibleFrom="md"
      flex="none"
      w="21rem"
      style={{ overflow: "visible" }}
      viewBox="0 0 340 400"
      aria-hidden="true"
      focusable="false"
    >
      {SLABS.map(({ color, turn }) => (
        <g key={color} transform={turn} color={color}>
          <rect {...CASE} x="30" y="20" width="200" height="320" rx="16" />
          <rect fill="var(--sd-canvas)" x="44" y="34" width="172" height="58" rx="7" />
          <rect fill="currentcolor" x="44" y="34" width="10" height="58" rx="3" />
          <rect fill="var(--sd-ink)" x="66" y="46" width="84" height="6" rx="3" />
          <rect fill="var(--sd-line)" x="66" y="59" width="62" height="5" rx="2.5" />
          <rect fill="var(--sd-line)" x="66" y="71" width="74" height="5" rx="2.5" />
          <rect fill="currentcolor" x="178" y="46" width="26" height="34" rx="6" />
          <rect fill={tint(14)} x="52" y="106" width="156" height="220" rx="10" />
          <circle fill={tint(32)} cx="130" cy="190" r="40" />
          <rect fill={tint(24)} x="68" y="284" width="124" height="26" rx="6" />
        </g>
      ))}
    </Box>
  );
}
