import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { certUrlOf, parseCompany } from "@slabdesk/contract/certs/company.ts";
import { canEnter, isByHand, isEnteredHere } from "@slabdesk/contract/review/row-state.ts";
import { Button, Text } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { removeEntry } from "../../run/session-requests.ts";
import { useAction } from "../../run/use-action.ts";
import { confirmDialog } from "../../ui/confirm-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import partStyles from "../row/DrawerParts.module.css";
import { RowDrawer } from "../row/RowDrawer.tsx";
import { byHandMessage } from "../row/row-messages.ts";
import type { RowDialog } from "../use-row-dialogs.ts";
import { EntryForm } from "./EntryForm.tsx";

type EntryDrawerProps = { dialog: RowDialog; shown: RowsSnapshot; onRetry: (row: ResultRow) => void };

/** The grader's page and the form for a card that no service answers for. Loaded when first opened. */
export function EntryDrawer({ dialog, shown, onRetry }: EntryDrawerProps) {
  const { row, open, close } = dialog;
  const next = row && nextWithoutCard(shown, row);
  return (
    <RowDrawer
      dialog={dialog}
      closeLabel="Close the form"
      foot={row && isByHand(row) && <EntryActions row={row} onRetry={onRetry} onDone={close} />}
    >
      {row && (
        <>
          <Guide row={row} />
          <EntryForm
            key={row.id}
            row={row}
            hasNext={next !== null}
            onSaved={(goesOn) => (goesOn && next ? open(next) : close())}
          />
        </>
      )}
    </RowDrawer>
  );
}

/** The next row that has no card and may be entered, from this row on and then from the top. */
function nextWithoutCard(shown: RowsSnapshot, row: ResultRow): ResultRow | null {
  const place = shown.indexOf(row);
  const others = [...shown.slice(place + 1), ...shown.slice(0, Math.max(place, 0))];
  return others.find((other) => canEnter(other) && !isEnteredHere(other)) ?? null;
}

function Guide({ row }: { row: ResultRow }) {
  const company = parseCompany(row.gradingCompany);
  return (
    <Text fz="sm" c="dimmed" lh={1.45}>
      {row.entry && isByHand(row) ? `${byHandMessage(row, row.entry)}. ` : row.error && `${row.error}. `}
      {company && (
        <a className={partStyles.link} href={certUrlOf(company, row.certNumber)} target="_blank" rel="noreferrer">
          Open {company}&apos;s page <IconExternalLink size={14} aria-hidden="true" />
        </a>
      )}
    </Text>
  );
}

function EntryActions({
  row,
  onRetry,
  onDone,
}: Pick<EntryDrawerProps, "onRetry"> & { row: ResultRow; onDone: () => void }) {
  const { run, isBusy } = useAction({
    send: removeEntry,
    failure: () => ({ id: "entry", title: "The entry is still there" }),
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
    <>
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
    </>
  );
}
