import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Button, Group } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useRef } from "react";
import { useCommands } from "../../place/commands.ts";
import { toast } from "../../ui/toast.tsx";
import { type Download, downloadSession } from "../../run/download/download-session.ts";
import type { RowsStore } from "../../run/rows-store.ts";
import styles from "../../run/session-actions.module.css";
import { ExportMenu } from "./ExportMenu.tsx";

/** The message without results (docs/conformance.md, 5-24). */
const NOTHING_TO_DOWNLOAD_MESSAGE = "No results to download.";

type DownloadActionsProps = {
  session: ScanSession | null;
  rows: RowsStore;
  main: Download;
  children: string;
};

/** A button that downloads a session's main file, and a menu with the other formats. */
export function DownloadActions({ session, rows, main, children }: DownloadActionsProps) {
  const download = (what: Download): void => {
    if (!session || rows.getSnapshot().length === 0)
      return toast.info({ id: "no-results", message: NOTHING_TO_DOWNLOAD_MESSAGE });
    void downloadSession(session, what);
  };
  const buttons = useRef<HTMLDivElement>(null);
  const isVisible = (): boolean => buttons.current?.checkVisibility() === true;
  useCommands(() => (isVisible() ? [{ label: children, run: () => download(main) }] : []));
  return (
    <Group ref={buttons} gap={1} wrap="nowrap">
      <Button
        size="xs"
        className={styles.action}
        variant="filled"
        flex={1}
        bdrs="0.5625rem 0 0 0.5625rem"
        onClick={() => download(main)}
      >
        {children}
      </Button>
      <ExportMenu
        position="bottom-end"
        except={main.format}
        getRows={rows.getSnapshot}
        isOffered={isVisible}
        onChoose={download}
      >
        <Button
          size="xs"
          variant="filled"
          h={32}
          px={8}
          style={{ borderStartStartRadius: 0, borderEndStartRadius: 0 }}
          aria-label="More formats"
          title="More formats"
        >
          <IconChevronDown size={16} aria-hidden="true" />
        </Button>
      </ExportMenu>
    </Group>
  );
}
