import type { CredentialTest } from "@slabdesk/contract/api/sources.ts";
import { IconCheck, IconInfoCircle, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Action } from "../../../run/use-action.ts";
import styles from "./sources.module.css";

const ICON = { size: 14, stroke: 2, "aria-hidden": true } as const;
const ICONS: Record<CredentialTest["result"], ReactNode> = {
  accepted: <IconCheck {...ICON} />,
  refused: <IconX {...ICON} />,
  unknown: <IconInfoCircle {...ICON} />,
};

/** What came back from a test of credentials. */
export function TestAnswer({ trial }: { trial: Action<void, CredentialTest> }): ReactNode {
  const answer =
    trial.problem === null ? trial.answer : ({ result: "unknown", message: trial.problem } satisfies CredentialTest);
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
