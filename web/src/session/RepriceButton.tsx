import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { Button } from "@mantine/core";
import { repriceView } from "./reprice-view.ts";
import styles from "./session-actions.module.css";
import { useReprice } from "./use-reprice.ts";

type RepriceButtonProps = {
  session: ScanSession | null;
  /** The enabled price sources; null until known. */
  priceSources: Status["priceSources"] | null;
  onRepriced: (session: ScanSession) => void;
};

/** Reprice, or Get prices for a session without prices. Shows the count while prices are being fetched. */
export function RepriceButton({ session, priceSources, onRepriced }: RepriceButtonProps) {
  const { isAsking, reprice } = useReprice(onRepriced);
  const { label, message, state } = repriceView(session, priceSources);
  const isBusy = isAsking || state === "busy";
  return (
    <Button
      size="xs"
      className={styles.action}
      title={message}
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
