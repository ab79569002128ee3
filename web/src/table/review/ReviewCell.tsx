import { isError } from "@slabdesk/contract/review/row-state.ts";
import { Button, type ButtonProps, Group } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { rowTitle } from "../../card/row-messages.ts";
import { Tag } from "../../ui/Tag.tsx";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import type { CellProps } from "../row/row-context.ts";
import styles from "./review.module.css";

/** Why a row needs review, the suggested action, and a button to mark it reviewed. */
export function ReviewCell(cell: CellProps) {
  const { row, tabIndex, context } = cell;
  if (context.reasonsOf(row).length === 0) return null;
  const name = rowTitle(row) ?? row.certNumber;
  const mark = isError(row) ? "Dismiss" : "Looks right";
  return (
    <span className={styles.line}>
      <ReasonMessage {...cell} />
      <ActionButton row={row} context={context} name={name} size="compact-xs" tabIndex={tabIndex} />
      <button
        type="button"
        className={styles.right}
        tabIndex={tabIndex}
        aria-label={`${mark}: ${name}`}
        title={mark}
        onClick={() => context.onMarkReviewed(row)}
      >
        <IconCheck size={16} aria-hidden="true" />
      </button>
    </span>
  );
}

/** The review controls on a phone's card: the reason, its action and "Looks right". */
export function ReviewCard(cell: CellProps) {
  const { row, context } = cell;
  if (context.reasonsOf(row).length === 0) return null;
  return (
    <div className={styles.card}>
      <ReasonMessage {...cell} />
      <Group gap={8}>
        <ActionButton row={row} context={context} name={row.certNumber} size="xs" variant="filled" />
        <Button size="xs" onClick={() => context.onMarkReviewed(row)}>
          {isError(row) ? "Dismiss" : "Looks right"} <VisuallyHidden>{row.certNumber}</VisuallyHidden>
        </Button>
      </Group>
    </div>
  );
}

type ActionButtonProps = Pick<CellProps, "row" | "context"> & ButtonProps & { name: string; tabIndex?: number };

/** The suggested action; nothing if there is none but to mark the row reviewed. */
function ActionButton({ row, context, name, ...button }: ActionButtonProps) {
  const action = context.actionOf(row);
  if (action === null || action.name === "looks_right") return null;
  return (
    <Button {...button} onClick={action.run}>
      {action.label} <VisuallyHidden>{name}</VisuallyHidden>
    </Button>
  );
}

/** The first reason, and the number of others. */
function ReasonMessage({ row, context }: CellProps) {
  const messages = context.reasonsOf(row).map(({ message }) => message);
  const [first, ...others] = messages;
  return (
    <span className={styles.line} title={messages.join("\n")}>
      <span className={styles.message} data-kind={context.reasonsOf(row)[0]?.kind}>
        {first}
      </span>
      {others.length > 0 && (
        <Tag variant="small">
          <span aria-hidden="true">+{others.length}</span>
          <VisuallyHidden>{others.join(". ")}</VisuallyHidden>
        </Tag>
      )}
    </span>
  );
}
