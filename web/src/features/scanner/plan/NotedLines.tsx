import { Modal, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { count } from "../counts.ts";
import { type LineNotes, NOTES_LISTED } from "../sheet/sheet-summary.ts";
import styles from "./PlanCard.module.css";
import type { Message } from "./plan-messages.ts";

type NotedLinesProps = {
  /** The title of the list that a click opens. */
  title: string;
  /** The name of the line's value; without it, the line is a sentence. */
  label?: string;
  notes: LineNotes;
  tone?: Message["tone"];
  children: ReactNode;
};

/** One kind of note as a plan line; a click lists the affected sheet lines. */
export function NotedLines(props: NotedLinesProps): ReactNode {
  const { title, label, notes, tone, children } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.line} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label && <span>{label}</span>}
        <span className={label ? styles.value : styles.sentence} data-tone={tone}>
          {children}
          <span className={styles.more}>see which</span>
        </span>
      </button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={title} size="lg">
        <LinesTable notes={notes} />
      </Modal>
    </>
  );
}

function LinesTable({ notes: { count: all, notes } }: { notes: LineNotes }): ReactNode {
  return (
    <>
      <table className={styles.list}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">In the sheet</th>
            <th scope="col">Remark</th>
          </tr>
        </thead>
        <tbody>
          {notes.map((note) => (
            <tr key={note.line}>
              <td>{note.where}</td>
              <td>
                {note.typed === "" ? (
                  <Text span inherit c="dimmed">
                    empty
                  </Text>
                ) : (
                  note.typed
                )}
              </td>
              <td>{note.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {all > notes.length && (
        <Text size="xs" c="dimmed" py={7} className={styles.foot ?? ""}>
          {count(all - notes.length)} more; the first {NOTES_LISTED} are listed.
        </Text>
      )}
    </>
  );
}
