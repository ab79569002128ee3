import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { ActionIcon, Group, Text, TextInput } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { errorMessage } from "../../api/error-messages.ts";
import { LONGEST_SESSION_NAME } from "../../api/sessions.ts";
import { CopyLinkButton } from "../../place/CopyLinkButton.tsx";
import { rename } from "../../run/session-requests.ts";
import styles from "./SessionLine.module.css";

type SessionNameProps = {
  session: ScanSession;
  headingRef: RefObject<HTMLHeadingElement | null>;
};

type Draft = { name: string; isSaving: boolean; problem: string | null };

/** A session's name with in-place editing: Enter saves, Esc cancels. */
export function SessionName({ session, headingRef }: SessionNameProps) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const wasEditing = useRef(false);
  const isEditing = draft !== null;
  useLayoutEffect(() => {
    if (isEditing) field.current?.select();
    else if (wasEditing.current) pencil.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const save = async (): Promise<void> => {
    if (draft === null || draft.isSaving) return;
    const name = draft.name.trim();
    if (name === "") return setDraft({ ...draft, problem: "A session needs a name" });
    if (name === session.sessionName) return setDraft(null);
    setDraft({ ...draft, isSaving: true, problem: null });
    try {
      await rename(session.id, name);
      setDraft(null);
    } catch (error) {
      setDraft({ name: draft.name, isSaving: false, problem: errorMessage(error) });
    }
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
          onClick={() => setDraft({ name: session.sessionName, isSaving: false, problem: null })}
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
      value={draft.name}
      readOnly={draft.isSaving}
      error={draft.problem}
      onChange={(event) => setDraft({ name: event.currentTarget.value, isSaving: false, problem: null })}
      onBlur={() => {
        if (draft.problem === null) void save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") void save();
        else if (event.key === "Escape" && !draft.isSaving) setDraft(null);
        else return;
        event.preventDefault();
      }}
    />
  );
}
