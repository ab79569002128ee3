import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { ActionIcon, Group, Text, TextInput } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { LONGEST_SESSION_NAME } from "../../api/sessions.ts";
import { CopyLinkButton } from "../../place/CopyLinkButton.tsx";
import { rename } from "../../run/session-requests.ts";
import { useAction } from "../../run/use-action.ts";
import styles from "./SessionLine.module.css";

type SessionNameProps = {
  session: ScanSession;
  headingRef: RefObject<HTMLHeadingElement | null>;
};

/** A session's name with in-place editing: Enter saves, Esc cancels. */
export function SessionName({ session, headingRef }: SessionNameProps) {
  /** Null unless the name is edited. */
  const [draft, setDraft] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const renaming = useAction({ send: (name: string) => rename(session.id, name), onDone: () => setDraft(null) });
  const problem = isMissing ? "A session needs a name" : renaming.problem;
  const pencil = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const wasEditing = useRef(false);
  const isEditing = draft !== null;
  useLayoutEffect(() => {
    if (isEditing) field.current?.select();
    else if (wasEditing.current) pencil.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const edit = (name: string): void => {
    setDraft(name);
    setMissing(false);
    renaming.reset();
  };
  const save = (): void => {
    const name = draft?.trim() ?? "";
    setMissing(name === "");
    if (name === session.sessionName) setDraft(null);
    else if (name !== "") renaming.run(name);
  };

  if (draft === null) {
    return (
      <Group gap={4} wrap="nowrap">
        <Text
          ref={headingRef}
          component="h2"
          truncate
          fz="lg"
          fw={650}
          lh="1.75rem"
          style={{ outline: "none" }}
          tabIndex={-1}
          title={session.sessionName}
        >
          {session.sessionName}
        </Text>
        <ActionIcon
          ref={pencil}
          size={28}
          aria-label="Rename session"
          title="Rename session"
          onClick={() => edit(session.sessionName)}
        >
          <IconPencil size={15} aria-hidden="true" />
        </ActionIcon>
        <CopyLinkButton session={session.id} />
      </Group>
    );
  }
  return (
    <TextInput
      ref={field}
      className={styles.field ?? ""}
      size="sm"
      aria-label="Session name"
      maxLength={LONGEST_SESSION_NAME}
      value={draft}
      readOnly={renaming.isBusy}
      error={problem}
      onChange={(event) => edit(event.currentTarget.value)}
      onBlur={() => {
        if (problem === null) save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") save();
        else if (event.key === "Escape" && !renaming.isBusy) setDraft(null);
        else return;
        event.preventDefault();
      }}
    />
  );
}
