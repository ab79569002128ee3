import type { CredentialTest, Source } from "@slabdesk/contract/api/sources.ts";
import { Button, Flex, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck, IconInfoCircle, IconPlayerPause, IconPlayerPlay, IconX } from "@tabler/icons-react";
import { useState } from "react";
import * as sourcesApi from "../../../api/sources.ts";
import { type Action, type ActionOptions, useAction } from "../../../api/use-action.ts";
import { confirmDialog } from "../../../ui/confirm-dialog.tsx";
import { credentialsMessage, openMessage, pauseMessage } from "./source-messages.ts";
import { useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "../../../api/query-keys.ts";
import { Form } from "../../../ui/form/Form.tsx";
import { FormProblem } from "../../../ui/form/FormProblem.tsx";
import { toast } from "../../../ui/toast.tsx";

const RESUME = { action: "open", verb: "Resume", Icon: IconPlayerPlay, message: openMessage } as const;
const PAUSE = { action: "pause", verb: "Pause", Icon: IconPlayerPause, message: pauseMessage } as const;
type Change = typeof RESUME | typeof PAUSE;

/** Pause, resume, test credentials, and enter them. The test's result stays next to the buttons. */
export function SourceActions({ source }: { source: Source }) {
  const { isBusy: isChanging, run } = useSourceChange({
    send: ({ action }: Change) => sourcesApi.changeSource(source.name, action),
    failure: () => ({ id: `source-${source.name}` }),
  });
  const trial = useAction<void, CredentialTest>({ send: () => sourcesApi.testCredentials(source.name) });
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

/** Enters, tests, and removes an upstream's credentials. They are never shown again. */
function CredentialsForm({ source, onClose }: { source: Source; onClose: () => void }) {
  const { fields, entered } = source.credentials;
  const [values, setValues] = useState<Record<string, string>>({});
  const free = fields.filter(({ lockedReason }) => lockedReason === null);
  const isComplete = free.length > 0 && free.every(({ name }) => (values[name] ?? "").trim() !== "");
  const trial = useAction<void, CredentialTest>({ send: () => sourcesApi.testCredentials(source.name, values) });
  const done = (verb: string) => (): void => {
    toast.done({ message: `The credentials of ${source.title} are ${verb}.` });
    onClose();
  };
  const saving = useSourceChange({
    send: () => sourcesApi.saveCredentials(source.name, values),
    onDone: done("saved"),
  });
  const removal = useSourceChange({ send: () => sourcesApi.removeCredentials(source.name), onDone: done("removed") });
  return (
    <Form gap={14} onSubmit={() => isComplete && saving.run()} aria-label={`Credentials of ${source.title}`}>
      <Intro source={source} />
      {fields.map(({ name, label, isSecret, isSet, lockedReason }) => {
        const Input = isSecret ? PasswordInput : TextInput;
        return (
          <Input
            key={name}
            label={label}
            name={name}
            autoComplete={isSecret ? "new-password" : "off"}
            disabled={lockedReason !== null}
            placeholder={isSet ? "Set; not shown" : ""}
            maxLength={5000}
            value={values[name] ?? ""}
            onChange={({ currentTarget }) => {
              setValues({ ...values, [name]: currentTarget.value });
              trial.reset();
            }}
          />
        );
      })}
      <TestAnswer trial={trial} />
      <FormProblem message={saving.problem ?? removal.problem} />
      <Group gap="xs" justify="flex-end">
        {entered !== null && (
          <Button mr="auto" loading={removal.isBusy} onClick={() => removal.run()}>
            Remove
          </Button>
        )}
        <Button disabled={!isComplete} loading={trial.isBusy} onClick={() => trial.run()}>
          Test
        </Button>
        <Button type="submit" variant="filled" disabled={!isComplete} loading={saving.isBusy}>
          Save
        </Button>
      </Group>
    </Form>
  );
}

/** Where the credentials come from, why they can't be entered or used, and what a test costs. */
function Intro({ source }: { source: Source }) {
  const { fields, problem } = source.credentials;
  const reasons = [...new Set(fields.flatMap(({ lockedReason }) => lockedReason ?? []))];
  const isLocked = fields.every(({ lockedReason }) => lockedReason !== null);
  const isNone = fields.every(({ isSet }) => !isSet) && source.credentials.entered === null;
  return (
    <Stack gap={6}>
      {!isNone && <Text fz="sm">{credentialsMessage(source)}</Text>}
      {problem !== null && (
        <Text fz="sm" c="var(--sd-bad)">
          {problem}.
        </Text>
      )}
      {reasons.map((reason) => (
        <Text key={reason} fz="sm" c="dimmed">
          {reason}.
        </Text>
      ))}
      {!isLocked && (
        <Text fz="sm" c="dimmed">
          A test makes one call{source.canTest ? "" : ", which counts against a daily limit"}. Saved credentials are
          encrypted, never shown again, and used at once.
        </Text>
      )}
    </Stack>
  );
}

const ICON = { size: 14, stroke: 2, "aria-hidden": true } as const;
const RESULTS: Record<CredentialTest["result"], { Icon: typeof IconX; color: string }> = {
  accepted: { Icon: IconCheck, color: "var(--sd-good-text)" },
  refused: { Icon: IconX, color: "var(--sd-bad)" },
  unknown: { Icon: IconInfoCircle, color: "var(--sd-neutral)" },
};

function TestAnswer({ trial }: { trial: Action<void, CredentialTest> }) {
  const answer =
    trial.problem === null ? trial.answer : ({ result: "unknown", message: trial.problem } satisfies CredentialTest);
  const { Icon, color } = RESULTS[answer?.result ?? "unknown"];
  return (
    <Flex
      component="output"
      display={answer === undefined ? "none" : "flex"}
      gap={6}
      w="100%"
      fz="xs"
      lh="1.125rem"
      c={color}
      data-result={answer?.result}
    >
      {answer !== undefined && (
        <>
          <Icon {...ICON} style={{ flex: "none", marginTop: "0.125rem" }} /> <span>{answer.message}</span>
        </>
      )}
    </Flex>
  );
}

type SourceChange<Input> = Pick<ActionOptions<Input, Source>, "send" | "onDone" | "failure">;

/** Changes a source and shows the answer in the list at once. */
function useSourceChange<Input = void>({ send, onDone, ...rest }: SourceChange<Input>): Action<Input, Source> {
  const queryClient = useQueryClient();
  const queryKey = queryKeys.adminSources();
  return useAction<Input, Source>({
    ...rest,
    send: async (input) => {
      await queryClient.cancelQueries({ queryKey });
      return send(input);
    },
    onDone: (changed, input) => {
      queryClient.setQueryData<sourcesApi.SourceList>(
        queryKey,
        (list) => list && { ...list, sources: list.sources.map((one) => (one.name === changed.name ? changed : one)) },
      );
      void queryClient.invalidateQueries({ queryKey: queryKeys.status() });
      onDone?.(changed, input);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
