import type { CardHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { VisuallyHidden } from "@mantine/core";
import { IconHistory, IconStack2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { lookUpMessage, TWICE_OPEN_MESSAGE } from "../../run/lookup-history-messages.ts";
import styles from "./LookupHistoryMark.module.css";

type LookupHistoryMarkProps = { lookups: CardHistory | undefined; nowMs: number };

/** Marks a card that was looked up before or that is in another open session; otherwise renders nothing. */
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
