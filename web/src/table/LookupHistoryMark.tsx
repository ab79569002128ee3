import type { CardHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { VisuallyHidden } from "@mantine/core";
import { IconHistory, IconStack2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { lookUpMessage, TWICE_OPEN_MESSAGE } from "./lookup-history-messages.ts";
import styles from "./LookupHistoryMark.module.css";

type LookupHistoryMarkProps = { lookups: CardHistory | undefined; nowMs: number };

/** That a card was looked up before, and that it stands in another open session; nothing where neither is so. */
export function LookupHistoryMark({ lookups, nowMs }: LookupHistoryMarkProps): ReactNode {
  if (!lookups) return null;
  const message = lookUpMessage(lookups, nowMs);
  return (
    <>
      {message.length > 0 && (
        <Mark message={message} kind="before">
          <IconHistory size={14} aria-hidden="true" />
        </Mark>
      )}
      {lookups.isTwiceOpen && (
        <Mark message={[TWICE_OPEN_MESSAGE]} kind="twice">
          <IconStack2 size={14} aria-hidden="true" />
        </Mark>
      )}
    </>
  );
}

type MarkProps = { message: readonly string[]; kind: "before" | "twice"; children: ReactNode };

function Mark({ message, kind, children }: MarkProps): ReactNode {
  return (
    <span className={styles.mark} data-kind={kind} title={message.join("\n")}>
      {children}
      <VisuallyHidden>{message.join(". ")}</VisuallyHidden>
    </span>
  );
}
