import type { CredentialTest } from "@slabdesk/contract/api/sources.ts";
import { IconCheck, IconInfoCircle, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { errorMessage } from "../../../api/error-messages.ts";
import styles from "./sources.module.css";

const ICON = { size: 14, stroke: 2, "aria-hidden": true } as const;
const ICONS: Record<CredentialTest["result"], ReactNode> = {
  accepted: <IconCheck {...ICON} />,
  refused: <IconX {...ICON} />,
  unknown: <IconInfoCircle {...ICON} />,
};

/** What came back from a test of credentials. */
export function TestAnswer({ trial }: { trial: { data: CredentialTest | undefined; error: unknown } }): ReactNode {
  const failure = trial.error ? ({ result: "unknown", message: errorMessage(trial.error) } as const) : undefined;
  const answer = failure ?? trial.data;
  return (
    <output className={styles.answer} data-result={answer?.result}>
      {answer !== undefined && (
        <>
          {ICONS[answer.result]} <span>{answer.message}</span>
        </>
      )}
    </output>
  );
}
