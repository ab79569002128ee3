import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Button } from "@mantine/core";
import { toast } from "../ui/toast.tsx";
import { type Download, downloadSession } from "./download-session.ts";
import { ExportMenu } from "./ExportMenu.tsx";
import styles from "./session-actions.module.css";

/** SPEC section 5. */
const NOTHING_TO_DOWNLOAD_MESSAGE = "No results to download.";

type DownloadActionsProps = {
  session: ScanSession | null;
  /** How many rows there are to download. */
  rowCount: number;
  /** What the button itself downloads. */
  main: Download;
  children: string;
};

/** A session's file on one button, and the other formats beside it. */
export function DownloadActions({ session, rowCount, main, children }: DownloadActionsProps) {
  const download = (what: Download): void => {
    if (!session || rowCount === 0) return toast.info({ id: "no-results", message: NOTHING_TO_DOWNLOAD_MESSAGE });
    void downloadSession(session, what, rowCount);
  };
  return (
    <span className={styles.download}>
      <Button size="xs" className={styles.action} variant="filled" onClick={() => download(main)}>
        {children}
      </Button>
      <ExportMenu except={main.format} onChoose={download} />
    </span>
  );
}
