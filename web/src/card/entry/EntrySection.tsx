import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { certUrlOf, parseCompany } from "@slabdesk/contract/certs/company.ts";
import { canEnter, isByHand, isEnteredHere } from "@slabdesk/contract/review/row-state.ts";
import { Button, Group } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { removeEntry } from "../../run/session-requests.ts";
import { useAction } from "../../run/use-action.ts";
import { confirmDialog } from "../../ui/confirm-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { Section } from "../CardParts.tsx";
import partStyles from "../CardParts.module.css";
import type { CardDialog } from "../use-card-dialog.ts";
import { EntryForm } from "./EntryForm.tsx";

type EntrySectionProps = {
  row: ResultRow;
  /** The rows of the table, for the next one without a card. */
  shown: RowsSnapshot;
  dialog: Pick<CardDialog, "open" | "close">;
  onRetry: (row: ResultRow) => void;
};

/** The grader's page and the form for a card that no service answers for. */
export function EntrySection({ row, shown, dialog, onRetry }: EntrySectionProps) {
  const company = parseCompany(row.gradingCompany);
  const next = nextWithoutCard(shown, row);
  return (
    <Section
      label={isEnteredHere(row) ? "Edit entry" : "Enter by hand"}
      side={
        company && (
          <a className={partStyles.link} href={certUrlOf(company, row.certNumber)} target="_blank" rel="noreferrer">
            Open {company}&apos;s page <IconExternalLink size={14} aria-hidden="true" />
          </a>
        )
      }
    >
      <EntryForm
        key={row.id}
        row={row}
        hasNext={next !== null}
        onSaved={(goesOn) => (goesOn && next ? dialog.open(next, "entry") : dialog.close())}
      />
      {isByHand(row) && <EntryActions row={row} onRetry={onRetry} onDone={dialog.close} />}
    </Section>
  );
}

/** The next row that has no card and may be entered, from this row on and then from the top. */
function nextWithoutCard(shown: RowsSnapshot, row: ResultRow): ResultRow | null {
  const place = shown.indexOf(row);
  const others = [...shown.slice(place + 1), ...shown.slice(0, Math.max(place, 0))];
  return others.find((other) => canEnter(other) && !isEnteredHere(other)) ?? null;
}

type EntryActionsProps = Pick<EntrySectionProps, "row" | "onRetry"> & { onDone: () => void };

function EntryActions({ row, onRetry, onDone }: EntryActionsProps) {
  const { run, isBusy } = useAction({
    send: removeEntry,
    failure: () => ({ id: "entry", title: "Couldn't remove the entry" }),
    onDone: () => {
      toast.done({ id: `entry-${row.id}`, message: `Removed the entry of ${row.certNumber}` });
      onDone();
    },
  });
  const remove = async (): Promise<void> => {
    const isSure = await confirmDialog({
      title: `Remove the entry of ${row.certNumber}?`,
      message: "The row fails again as it did before. What was typed, its photos and its prices are deleted.",
      confirmLabel: "Remove entry",
      isDestructive: true,
    });
    if (isSure) run(row);
  };
  return (
    <Group gap={8} mt={12}>
      <Button
        size="xs"
        onClick={() => {
          onRetry(row);
          onDone();
        }}
      >
        Look up again
      </Button>
      <Button size="xs" variant="subtle" color="bad" aria-disabled={isBusy} onClick={() => void remove()}>
        Remove entry
      </Button>
    </Group>
  );
}
