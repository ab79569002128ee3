import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { errorMessage, loadProblem } from "../../api/error-messages.ts";
import { provenanceQuery } from "../../api/rows.ts";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import { toast } from "../../ui/toast.tsx";
import { Section } from "../CardParts.tsx";
import { EarlierLookups } from "./EarlierLookups.tsx";
import { HistorySections, PriceHistory } from "./HistorySections.tsx";
import { provenanceReport } from "./provenance-report.ts";

/** How the row came to be what it is: price history, earlier lookups, attempts, and the line as uploaded. */
export function ProvenanceSections({ row, isRunning }: { row: ResultRow; isRunning: boolean }) {
  const query = useQuery(provenanceQuery(row));
  if (!query.data)
    return (
      <Section label="History">
        {query.isError ? (
          <ErrorPanel {...loadProblem(query, "The history could not be loaded.")} />
        ) : (
          <GhostRows count={6} rowHeight="2.25rem" label="Loading the history" />
        )}
      </Section>
    );
  // The table's row is used, because it gets changes first.
  const provenance = { ...query.data, row };
  return (
    <>
      <PriceHistory provenance={provenance} />
      <EarlierLookups lookupHistory={provenance.lookupHistory} />
      <HistorySections provenance={provenance} copy={<CopyReport row={row} isRunning={isRunning} />} />
    </>
  );
}

/** Copies the history as text; loads it if needed. Browsers allow this only on HTTPS and localhost. */
function CopyReport({ row, isRunning }: { row: ResultRow; isRunning: boolean }) {
  const client = useQueryClient();
  const copy = async (): Promise<void> => {
    const id = "copied-history";
    try {
      const provenance = await client.query({ ...provenanceQuery(row), staleTime: "static" });
      const text = provenanceReport({ ...provenance, row }, { isRunning, nowMs: Date.now() });
      await navigator.clipboard.writeText(text);
      toast.done({ id, message: "Copied for support" });
    } catch (error) {
      const message =
        error instanceof DOMException
          ? "Your browser doesn't allow copying here. Open Slabdesk by its https address."
          : errorMessage(error);
      toast.error({ id, title: "Nothing was copied", message });
    }
  };
  return (
    <Button size="compact-xs" leftSection={<IconCopy size={14} aria-hidden="true" />} onClick={() => void copy()}>
      Copy for support
    </Button>
  );
}
