import type { CardHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { IconHistory, IconStack2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { lookUpMessage, TWICE_OPEN_MESSAGE } from "../../run/lookup-history-messages.ts";
import tones from "./tone.module.css";
import styles from "./cells.module.css";

type LookupHistoryMarkProps = { lookups: CardHistory | undefined };

/** Marks a card that was looked up before or that is in another open session; otherwise renders nothing. */
export function LookupHistoryMark({ lookups }: LookupHistoryMarkProps): ReactNode {
  if (!lookups) return null;
  const message = lookUpMessage(lookups);
  return (
    <>
      {message.length > 0 && (
        <Mark messages={message} kind="before">
          <IconHistory size={14} aria-hidden="true" />
        </Mark>
      )}
      {lookups.isTwiceOpen && (
        <Mark messages={[TWICE_OPEN_MESSAGE]} kind="twice">
          <IconStack2 size={14} aria-hidden="true" />
        </Mark>
      )}
    </>
  );
}

type MarkProps = { messages: readonly string[]; kind: string; children: ReactNode };

/** An icon that stands for messages. `kind` sets its color. */
export function Mark({ messages, kind, children }: MarkProps): ReactNode {
  return (
    <span className={`${tones.remark} ${styles.mark}`} data-kind={kind} title={messages.join("\n")}>
      {children}
      <VisuallyHidden>{messages.join(". ")}</VisuallyHidden>
    </span>
  );
}
