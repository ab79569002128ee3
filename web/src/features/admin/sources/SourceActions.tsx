import type { CredentialTest, Source } from "@slabdesk/contract/api/sources.ts";
import { Button, Group, Modal } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { openSource, pauseSource, testCredentials } from "../../../api/sources.ts";
import { useAction } from "../../../run/use-action.ts";
import { confirmDialog } from "../../../ui/confirm-dialog.tsx";
import { CredentialsForm, ICON, TestAnswer, useSourceChange } from "./CredentialsForm.tsx";
import { openMessage, pauseMessage } from "./source-messages.ts";

const RESUME = { verb: "Resume", Icon: IconPlayerPlay, send: openSource, message: openMessage };
const PAUSE = { verb: "Pause", Icon: IconPlayerPause, send: pauseSource, message: pauseMessage };
type Change = typeof RESUME;

/** Pause, resume, test credentials, and enter them. The test's result stays next to the buttons. */
export function SourceActions({ source }: { source: Source }) {
  const { isBusy: isChanging, run } = useSourceChange({
    send: (change: Change) => change.send(source.name),
    failure: () => ({ id: `source-${source.name}` }),
  });
  const trial = useAction<void, CredentialTest>({ send: () => testCredentials(source.name) });
  const [isEntering, setEntering] = useState(false);
  const closeForm = (): void => setEntering(false);
  const isPausedManually = source.manualPause !== null;
  const canResume = isPausedManually || source.endpoints.some(({ state }) => state === "paused" || state === "probing");
  const canPause = !isPausedManually && source.state !== "off";
  const ask = async (change: Change): Promise<void> => {
    const label = `${change.verb} ${source.title}`;
    if (await confirmDialog({ title: `${label}?`, message: change.message(source), confirmLabel: label })) run(change);
  };
  return (
    <Group gap={6} mt={6}>
      {[...(canResume ? [RESUME] : []), ...(canPause ? [PAUSE] : [])].map((change) => (
        <Button
          key={change.verb}
          size="compact-sm"
          leftSection={<change.Icon {...ICON} />}
          loading={isChanging}
          aria-label={`${change.verb} ${source.title}`}
          onClick={() => void ask(change)}
        >
          {change.verb}
        </Button>
      ))}
      <Button
        size="compact-sm"
        loading={trial.isBusy}
        aria-label={`Test credentials of ${source.title}`}
        {...(!source.canTest && { title: "Makes one call, which counts against a daily limit" })}
        onClick={() => trial.run()}
      >
        Test credentials
      </Button>
      <Button
        size="compact-sm"
        aria-label={`Credentials of ${source.title}`}
        aria-haspopup="dialog"
        onClick={() => setEntering(true)}
      >
        Credentials…
      </Button>
      <TestAnswer trial={trial} />
      <Modal opened={isEntering} onClose={closeForm} title={`Credentials of ${source.title}`} size="30rem">
        <CredentialsForm source={source} onClose={closeForm} />
      </Modal>
    </Group>
  );
}
