import { Modal } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { count, type Message } from "./plan-messages.ts";
import { type LineNotes, NOTES_LISTED } from "../sheet/sheet-summary.ts";
import styles from "./PlanCard.module.css";

type NotedLinesProps = {
  /** The title of the list that a click opens. */
  title: string;
  notes: LineNotes;
  tone?: Message["tone"];
  /** The column header of the interpreted value. */
  becomes?: string;
  /** The content of the line. */
  children: ReactNode;
};

/** One kind of note as a plan line; a click lists the affected sheet lines. */
export function NotedLines({ title, notes, tone, becomes = "Becomes", children }: NotedLinesProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles.line}
        data-tone={tone}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={title} size="lg">
        <LinesTable notes={notes} becomes={becomes} />
      </Modal>
    </>
  );
}

function LinesTable({ notes: { count: all, notes }, becomes }: { notes: LineNotes; becomes: string }): ReactNode {
  const isChange = notes.some((note) => note.becomes !== undefined);
  return (
    <>
      <table className={styles.list}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">In the sheet</th>
            {isChange && <th scope="col">{becomes}</th>}
            <th scope="col">Remark</th>
          </tr>
        </thead>
        <tbody>
          {notes.map((note) => (
            <tr key={note.line}>
              <td>{note.where}</td>
              <td className={styles.typed}>
                {note.typed === "" ? <span className={styles.empty}>empty</span> : note.typed}
              </td>
              {isChange && (
                <td className={styles.becomes}>
                  <span aria-hidden="true">→ </span>
                  {note.becomes}
                </td>
              )}
              <td>{note.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {all > notes.length && (
        <p className={styles.foot}>
          {count(all - notes.length)} more; the first {NOTES_LISTED} are listed.
        </p>
      )}
    </>
  );
}
