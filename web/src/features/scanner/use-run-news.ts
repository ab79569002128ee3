import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useEffect, useRef, useState } from "react";
import { announcementOf, titleOf } from "./run-view.ts";
import { isRunning, type RunState, sessionOf } from "./scanner-state.ts";

/**
 * What the rest of the page and a screen reader hear of a run: a sentence when it begins and when it ends (never per
 * card), its progress in the document's title, and `onRunChanged` when another session is shown, or the one that is
 * shown begins or ends. A session that was over before it came on the screen is announced only if it was started here:
 * a sheet of known cards is done at once.
 */
export function useRunNews(run: RunState, onRunChanged: (isRunning: boolean) => void): string {
  const [announcement, setAnnouncement] = useState("");
  const seen = useRef<{ id: string; status: ScanSession["status"] } | null>(null);
  const wasStarting = useRef(false);
  const session = sessionOf(run);

  useEffect(() => {
    const isNew = session?.id !== seen.current?.id;
    const isChanged = isNew || session?.status !== seen.current?.status;
    const isOwnStart = wasStarting.current && run.kind === "attached";
    wasStarting.current = run.kind === "starting";
    if (!isChanged) return;
    seen.current = session && { id: session.id, status: session.status };
    onRunChanged(isRunning(run));
    if (session && (!isNew || isOwnStart || session.status === "processing")) setAnnouncement(announcementOf(session));
  }, [run, session, onRunChanged]);

  useDocumentTitle(session);
  return announcement;
}

function useDocumentTitle(session: ScanSession | null): void {
  const [pageTitle] = useState(() => document.title);
  const title = session ? titleOf(session, pageTitle) : null;
  useEffect(() => {
    document.title = title ?? pageTitle;
    return () => {
      document.title = pageTitle;
    };
  }, [title, pageTitle]);
}
