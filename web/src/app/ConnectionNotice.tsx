import { Paper } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { onReconnection, useIsConnected } from "../api/connection.ts";
import styles from "./ConnectionNotice.module.css";

/** Says on every screen that the server doesn't answer, and reloads what is shown once it does. */
export function ConnectionNotice(): ReactNode {
  const isConnected = useIsConnected();
  const queryClient = useQueryClient();
  useEffect(() => onReconnection(() => void queryClient.invalidateQueries()), [queryClient]);
  return (
    <output className={styles.place}>
      {!isConnected && (
        <Paper className={styles.notice ?? ""}>Connection lost. Reconnecting… Your run continues on the server.</Paper>
      )}
    </output>
  );
}
