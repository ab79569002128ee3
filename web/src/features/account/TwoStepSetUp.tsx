import "@mantine/core/styles/Code.layer.css";
import { Button, Code, Group, Stack, Text } from "@mantine/core";
import type { TwoStepSetup } from "@slabdesk/contract/api/people.ts";
import { type ComponentProps, useState } from "react";
import { renderSVG } from "uqr";
import { beginTwoStep, confirmTwoStep } from "../../api/account.ts";
import { copyText } from "../../ui/copy-text.ts";
import { saveText } from "../../ui/files/save-file.ts";
import { SecretForm } from "./SecretForm.tsx";

type TwoStepSetUpProps = {
  /** Two-step sign-in is on; the recovery codes are still shown. */
  onTurnedOn?: () => void;
  onDone: () => void;
  leave: ComponentProps<typeof SecretForm>["leave"];
};

/** Sets up two-step sign-in: the password, the QR code with a first code, and the recovery codes. */
export function TwoStepSetUp({ onTurnedOn, onDone, leave }: TwoStepSetUpProps) {
  const [setup, setSetup] = useState<TwoStepSetup | null>(null);
  const [isOn, setOn] = useState(false);
  if (setup === null)
    return (
      <SecretForm
        field="password"
        label="Your password"
        submitLabel="Continue"
        send={beginTwoStep}
        onDone={setSetup}
        leave={leave}
      />
    );
  if (isOn) return <RecoveryCodes codes={setup.recoveryCodes} onDone={onDone} />;
  // Black on white in both color schemes, because some cameras can't read the reverse. Cameras need the border, too.
  const qrCode = `data:image/svg+xml,${encodeURIComponent(renderSVG(setup.uri, { border: 4 }))}`;
  return (
    <Stack>
      <Text fz="sm">Scan this code with your authenticator app, or type the key into it.</Text>
      <img src={qrCode} alt="QR code for the authenticator app" width={192} height={192} />
      <Code block aria-label="Key">
        {new URL(setup.uri).searchParams.get("secret")}
      </Code>
      <SecretForm
        field="code"
        label="Six digits from the app"
        submitLabel="Turn on"
        send={confirmTwoStep}
        onDone={() => {
          setOn(true);
          onTurnedOn?.();
        }}
        leave={leave}
      />
    </Stack>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join("\n");
  return (
    <Stack>
      <Text fz="sm">
        Two-step sign-in is on. Keep these recovery codes in a safe place. Each works once if you don't have your phone.
        They won't be shown again.
      </Text>
      <Code block aria-label="Recovery codes">
        {text}
      </Code>
      <Group gap="xs">
        <Button onClick={() => void copyText(text, "the recovery codes")}>Copy</Button>
        <Button onClick={() => saveText("slabdesk-recovery-codes.txt", `${text}\n`, "text/plain")}>Download</Button>
        <Button ml="auto" variant="filled" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
