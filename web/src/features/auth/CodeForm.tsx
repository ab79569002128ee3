import { Button, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { FormCard } from "../../ui/form/FormCard.tsx";
import { Form } from "../../ui/form/Form.tsx";
import { FormProblem } from "../../ui/form/FormProblem.tsx";

type CodeFormProps = { isBusy: boolean; message: string | null; onSubmit: (code: string) => void; onBack: () => void };

export function CodeForm({ isBusy, message, onSubmit, onBack }: CodeFormProps) {
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
