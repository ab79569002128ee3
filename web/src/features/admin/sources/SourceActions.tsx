import type { CredentialTest, Source } from "@slabdesk/contract/api/sources.ts";
import { Button, Group } from "@mantine/core";
import { IconCheck, IconInfoCircle, IconPlayerPause, IconPlayerPlay, IconX } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { errorMessage } from "../../../api/error-messages.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { openSource, pauseSource, type SourceList, testCredentials } from "../../../api/sources.ts";
import { confirmDialog } from "../../../ui/confirm-dialog.tsx";
import { toast } from "../../../ui/toast.tsx";
import { openMessage, pauseMessage } from "./source-messages.ts";
import styles from "./sources.module.css";

const ICON = { size: 14, stroke: 2, "aria-hidden": true } as const;
const ANSWER_ICONS: Record<CredentialTest["result"], ReactNode> = {
  accepted: <IconCheck {...ICON} />,
  refused: <IconX {...ICON} />,
  unknown: <IconInfoCircle {...ICON} />,
};

const RESUME = { verb: "Resume", Icon: IconPlayerPlay, run: openSource, message: openMessage };
const PAUSE = { verb: "Pause", Icon: IconPlayerPause, run: pauseSource, message: pauseMessage };
type Change = typeof RESUME;

/** Pause, resume, and test credentials. The result stays next to the buttons. */
export function SourceActions({ source }: { source: Source }): ReactNode {
  const { isPending: isChanging, mutate } = useSourceChange(source);
  const trial = useMutation({ mutationFn: () => testCredentials(source.name) });
  const answer = trial.isError ? ({ result: "unknown", message: errorMessage(trial.error) } as const) : trial.data;
  const isPausedManually = source.manualPause !== null;
  const canResume = isPausedManually || source.endpoints.some(({ state }) => state === "paused" || state === "probing");
  const canPause = !isPausedManually && source.state !== "off";
  /** Asks for confirmation and names what waits. */
  const ask = async (change: Change): Promise<void> => {
    const label = `${change.verb} ${source.title}`;
    if (await confirmDialog({ title: `${label}?`, message: change.message(source), confirmLabel: label }))
      mutate(change);
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
        loading={trial.isPending}
        aria-label={`Test credentials of ${source.title}`}
        {...(!source.canTest && { title: "They cannot be tried without a call that counts" })}
        onClick={() => trial.mutate()}
      >
        Test credentials
      </Button>
      <output className={styles.answer} data-result={answer?.result}>
        {answer !== undefined && (
          <>
            {ANSWER_ICONS[answer.result]} <span>{answer.message}</span>
          </>
        )}
      </output>
    </Group>
  );
}

function useSourceChange(source: Source) {
  const queryClient = useQueryClient();
  const queryKey = queryKeys.adminSources();
  return useMutation({
    mutationFn: ({ run }: Change) => run(source.name),
    onMutate: () => queryClient.cancelQueries({ queryKey }),
    onSuccess: (changed) =>
      queryClient.setQueryData<SourceList>(
        queryKey,
        (list) => list && { ...list, sources: list.sources.map((one) => (one.name === changed.name ? changed : one)) },
      ),
    onError: (error) => toast.error({ message: errorMessage(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
