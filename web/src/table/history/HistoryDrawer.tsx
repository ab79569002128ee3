import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { errorMessage, loadProblem } from "../../api/error-messages.ts";
import { provenanceQuery } from "../../api/rows.ts";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { KeyHint } from "../../ui/KeyHint.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import { toast } from "../../ui/toast.tsx";
import { RowDrawer } from "../row/RowDrawer.tsx";
import type { RowDialog } from "../use-row-dialogs.ts";
import { provenanceReport } from "./provenance-report.ts";
import { HistorySections } from "./HistorySections.tsx";

/** A row's provenance, with a text version for support. Loaded when first opened. */
export function HistoryDrawer({ dialog, isRunning }: { dialog: RowDialog; isRunning: boolean }) {
  const client = useQueryClient();
  const { row } = dialog;
  const copy = (): void => {
    if (row) void copyReport(client, row, isRunning);
  };
  return (
    <RowDrawer
      dialog={dialog}
      closeLabel="Close the reasons"
      keys={{ c: copy }}
      foot={
        <Button
          size="xs"
          fullWidth
          leftSection={<IconCopy size={16} aria-hidden="true" />}
          rightSection={
            <span aria-hidden="true">
              <KeyHint>C</KeyHint>
            </span>
          }
          onClick={copy}
        >
          Copy for support
        </Button>
      }
    >
      {row && <Reasons row={row} isRunning={isRunning} />}
    </RowDrawer>
  );
}

function Reasons({ row, isRunning }: { row: ResultRow; isRunning: boolean }) {
  const query = useQuery(provenanceQuery(row));
  if (query.isPending) return <GhostRows count={8} rowHeight="2.25rem" label="Loading the reasons" />;
  if (query.isError) return <ErrorPanel {...loadProblem(query, "The reasons could not be loaded.")} />;
  // The table's row is used, because it gets changes first.
  return <HistorySections provenance={{ ...query.data, row }} isRunning={isRunning} />;
}

/** Copies the drawer's content as text; loads it if needed. Browsers allow this only on HTTPS and localhost. */
async function copyReport(client: QueryClient, row: ResultRow, isRunning: boolean): Promise<void> {
  const id = "copied-why";
  try {
    const provenance = await client.query({ ...provenanceQuery(row), staleTime: "static" });
    const text = provenanceReport({ ...provenance, row }, { isRunning, nowMs: Date.now() });
    await navigator.clipboard.writeText(text);
    toast.done({ id, message: "Copied for support" });
  } catch (error) {
    const message =
      error instanceof DOMException
        ? "The browser does not allow copying here. Open Slabdesk by its https address."
        : errorMessage(error);
    toast.error({ id, title: "Nothing was copied", message });
  }
}
