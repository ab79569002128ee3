import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import { Button } from "@mantine/core";
import { useSyncExternalStore } from "react";
import type { RowsStore } from "../../table/rows-store.ts";
import { repriceView } from "./reprice-view.ts";
import styles from "./ResultActions.module.css";
import { useReprice } from "./use-reprice.ts";

type RepriceButtonProps = {
  session: ScanSession | null;
  rows: RowsStore;
  /** The price sources that are on; null while that is not known. */
  priceSources: Status["priceSources"] | null;
  onRepriced: (session: ScanSession) => void;
};

/** Reprice, or Get prices for a session that has none; while prices come, how many. */
export function RepriceButton({ session, rows, priceSources, onRepriced }: RepriceButtonProps) {
  const isPriced = useSyncExternalStore(rows.subscribe, () => hasPrices(rows));
  const { isAsking, reprice } = useReprice(onRepriced);
  const { label, words, state } = repriceView(session, isPriced, priceSources);
  const isBusy = isAsking || state === "busy";
  return (
    <Button
      size="xs"
      className={styles.action}
      title={words}
      disabled={state === "off"}
      aria-disabled={isBusy}
      onClick={() => {
        if (session && !isBusy) reprice(session.id);
      }}
    >
      {label}
    </Button>
  );
}

/** The first row that was found has them, or none has. */
function hasPrices(rows: RowsStore): boolean {
  return rows.getSnapshot().some(({ prices }) => PRICE_SOURCES.some((source) => prices[source].state !== null));
}
