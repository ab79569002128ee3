import { Modal } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { companyWords, type LineNotes, NOTES_LISTED, type SheetSummary } from "../sheet-summary.ts";
import styles from "./SummaryCard.module.css";

const count = (value: number): string => value.toLocaleString("en-US");

/** What the sheet holds, numbers first; below them what was repaired and what cannot be used, line by line on demand. */
export function SummaryCard({ summary }: { summary: SheetSummary }) {
  return (
    <section className={styles.card} aria-label="What the sheet holds">
      <dl className={styles.figures}>
        <Figure value={summary.ready} label="ready" />
        <Figure
          value={summary.duplicates}
          label={summary.duplicates === 1 ? "duplicate" : "duplicates"}
          note="Looked up once; the result fills every row"
        />
        <Figure
          value={summary.damaged.count}
          label="need a look"
          tone={summary.damaged.count > 0 ? "bad" : undefined}
        />
      </dl>
      <p className={styles.line}>
        <span>Cards</span>
        <span className={styles.value}>{companyWords(summary)}</span>
      </p>
      <Notes
        title="Repaired"
        notes={summary.repaired}
        words={(many) => `${many === 1 ? "number" : "numbers"} · see what`}
      />
      <Notes
        title="Damaged"
        notes={summary.damaged}
        words={(many) => `${many === 1 ? "row" : "rows"} · see why`}
        tone="bad"
      />
      <Notes title="Prices" notes={summary.unreadablePrices} words={() => "not readable · see which"} tone="warn" />
    </section>
  );
}

type FigureProps = { value: number; label: string; note?: string; tone?: "bad" | undefined };

function Figure({ value, label, note, tone }: FigureProps) {
  return (
    <div className={styles.figure} title={note}>
      <dt className={styles.figureLabel}>{label}</dt>
      <dd className={styles.number} data-tone={tone} data-zero={value === 0 || undefined}>
        {count(value)}
      </dd>
    </div>
  );
}

type NotesProps = { title: string; notes: LineNotes; words: (count: number) => string; tone?: "bad" | "warn" };

/** One kind of remark as a line; a press lists the lines of the sheet it is about. */
function Notes({ title, notes, words, tone }: NotesProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (notes.count === 0) return null;
  const more = notes.count - notes.notes.length;
  return (
    <>
      <button type="button" className={styles.line} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span>{title}</span>
        <span className={styles.value} data-tone={tone}>
          {count(notes.count)} {words(notes.count)}
        </span>
      </button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`${title}: ${count(notes.count)}`}
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <table className={styles.list}>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">In the sheet</th>
              <th scope="col">Remark</th>
            </tr>
          </thead>
          <tbody>
            {notes.notes.map(({ line, typed, words: remark }) => (
              <tr key={line}>
                <td>{line}</td>
                <td>{typed}</td>
                <td>{remark}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {more > 0 && (
          <p className={styles.foot}>
            {count(more)} more; the first {NOTES_LISTED} are listed.
          </p>
        )}
      </Modal>
    </>
  );
}
