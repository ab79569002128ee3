import type { CardMemory } from "@slabdesk/contract/api/memory.ts";
import { VisuallyHidden } from "@mantine/core";
import { IconHistory, IconStack2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { lookUpWords, TWICE_OPEN_WORDS } from "./memory-words.ts";
import styles from "./MemoryMark.module.css";

type MemoryMarkProps = { memory: CardMemory | undefined; nowMs: number };

/** That a card was looked up before, and that it stands in another open session; nothing where neither is so. */
export function MemoryMark({ memory, nowMs }: MemoryMarkProps): ReactNode {
  if (!memory) return null;
  const words = lookUpWords(memory, nowMs);
  return (
    <>
      {words.length > 0 && (
        <Mark words={words} kind="before">
          <IconHistory size={14} aria-hidden="true" />
        </Mark>
      )}
      {memory.isTwiceOpen && (
        <Mark words={[TWICE_OPEN_WORDS]} kind="twice">
          <IconStack2 size={14} aria-hidden="true" />
        </Mark>
      )}
    </>
  );
}

type MarkProps = { words: readonly string[]; kind: "before" | "twice"; children: ReactNode };

function Mark({ words, kind, children }: MarkProps): ReactNode {
  return (
    <span className={styles.mark} data-kind={kind} title={words.join("\n")}>
      {children}
      <VisuallyHidden>{words.join(". ")}</VisuallyHidden>
    </span>
  );
}
