import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useEffect, useRef, useState } from "react";
import { notifyOfEnd } from "./end-notice.ts";
import { newsOf } from "./run-news.ts";
import { isRunning, type RunState, sessionOf } from "../scanner-state.ts";
import { isPageSeen, onPageSeen, usePageMarks } from "./use-page-marks.ts";

/**
 * Publishes a run's progress outside the scanner: announcements from `run-news.ts`, the tab's title and icon, a
 * notification if the run ends unseen, and `onRunChanged` when another session is shown or the shown one starts or
 * ends.
 */
export function useRunNews(run: RunState, onRunChanged: (isRunning: boolean) => void): string {
  const [announcement, setAnnouncement] = useState("");
  const [unseenEnd, setUnseenEnd] = useState<string | null>(null);
  const seen = useRef<ScanSession | null>(null);
  const wasStarting = useRef(false);
  const session = sessionOf(run);

  useEffect(() => {
    const isOwnStart = wasStarting.current && run.kind === "attached";
    const news = newsOf(seen.current, session, isOwnStart, Date.now());
    wasStarting.current = run.kind === "starting";
    seen.current = session;
    if (news.isChanged) onRunChanged(isRunning(run));
    if (news.message !== null) setAnnouncement(news.message);
    if (news.hasEnded === null) return;
    const isUnseen = news.hasEnded && session !== null && !isPageSeen();
    setUnseenEnd(isUnseen ? session.id : null);
    if (isUnseen) notifyOfEnd(session);
  }, [run, session, onRunChanged]);

  useEffect(() => (unseenEnd === null ? undefined : onPageSeen(() => setUnseenEnd(null))), [unseenEnd]);
  usePageMarks(session, session !== null && unseenEnd === session.id);
  return announcement;
}
