import { Button } from "@mantine/core";
import type { CredentialTest, Source } from "@slabdesk/contract/api/sources.ts";
import { IconCheck, IconInfoCircle, IconPlayerPause, IconPlayerPlay, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./SourceActions.module.css";
import { useSourceActions } from "./use-source-actions.ts";

const ICON = { size: 14, stroke: 2, "aria-hidden": true } as const;
const ANSWER_ICONS: Record<CredentialTest["result"], ReactNode> = {
  accepted: <IconCheck {...ICON} />,
  refused: <IconX {...ICON} />,
  unknown: <IconInfoCircle {...ICON} />,
};

/** Pause, resume, and test credentials. The result stays next to the buttons. */
export function SourceActions({ source }: { source: Source }): ReactNode {
  const { pause, open, test, isChanging, isTesting, answer } = useSourceActions(source);
  const isPausedManually = source.manualPause !== null;
  const canOpen = isPausedManually || source.endpoints.some(({ state }) => state === "paused" || state === "probing");
  return (
    <div className={styles.actions}>
      {canOpen && (
        <Button
          size="compact-sm"
          leftSection={<IconPlayerPlay {...ICON} />}
          loading={isChanging}
          aria-label={`Open ${source.title}`}
          onClick={() => void open()}
        >
          Open
        </Button>
      )}
      {!isPausedManually && source.state !== "off" && (
        <Button
          size="compact-sm"
          leftSection={<IconPlayerPause {...ICON} />}
          loading={isChanging}
          aria-label={`Pause ${source.title}`}
          onClick={() => void pause()}
        >
          Pause
        </Button>
      )}
      <Button
        size="compact-sm"
        loading={isTesting}
        aria-label={`Test credentials of ${source.title}`}
        {...(!source.canTest && { title: "They cannot be tried without a call that counts" })}
        onClick={test}
      >
        Test credentials
      </Button>
      <output className={styles.answer} data-result={answer?.result}>
        {answer !== null && (
          <>
            {ANSWER_ICONS[answer.result]} <span>{answer.message}</span>
          </>
        )}
      </output>
    </div>
  );
}
