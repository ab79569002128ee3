import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { Button } from "@mantine/core";
import { toast } from "../ui/toast.tsx";
import { repricedMessage, repriceState } from "./reprice-state.ts";
import styles from "./session-actions.module.css";
import { reprice } from "./session-requests.ts";
import { useAction } from "./use-action.ts";

type RepriceButtonProps = {
  session: ScanSession | null;
  /** The enabled price sources; null until known. */
  priceSources: Status["priceSources"] | null;
};

/** Reprice, or Get prices for a session without prices. Shows the count while prices are being fetched. */
export function RepriceButton({ session, priceSources }: RepriceButtonProps) {
  const asking = useAction({
    send: reprice,
    failure: (sessionId) => ({ id: `reprice-${sessionId}`, title: "Couldn't get the prices" }),
    onDone: (repriced) => toast.info({ id: `reprice-${repriced.id}`, message: repricedMessage(repriced) }),
  });
  const { label, message, state } = repriceState(session, priceSources);
  const isBusy = asking.isBusy || state === "busy";
  return (
    <Button
      size="xs"
      className={styles.action}
      title={message}
      disabled={state === "off"}
      aria-disabled={isBusy}
      onClick={() => {
        if (session && !isBusy) asking.run(session.id);
      }}
    >
      {label}
    </Button>
  );
}
