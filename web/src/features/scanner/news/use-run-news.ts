import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useWindowEvent } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { titleOf } from "../../../run/run-progress.ts";
import { isRunning } from "../scanner-state.ts";
import type { Scanner } from "../use-scanner.ts";
import { notifyOfEnd } from "./end-notice.ts";
import { badgeOf, faviconUrl } from "./favicon.ts";
import { newsOf } from "./run-news.ts";

/**
 * Publishes a run's progress outside the scanner: announcements from `run-news.ts`, the tab's title and icon, a
 * notification if the run ends unseen, and `onRunChanged` when another session is shown or the shown one starts or
 * ends.
 */
export function useRunNews({ session, state }: Scanner, onRunChanged: (isRunning: boolean) => void): string {
  const [announcement, setAnnouncement] = useState("");
  const [unseenEnd, setUnseenEnd] = useState<string | null>(null);
  const seen = useRef<ScanSession | null>(null);
  const wasStarting = useRef(false);
  const isStarting = state.run === "starting";

  useEffect(() => {
    const news = newsOf(seen.current, session, wasStarting.current && !isStarting, Date.now());
    wasStarting.current = isStarting;
    seen.current = session;
    if (news.isChanged) onRunChanged(isRunning(session));
    if (news.message !== null) setAnnouncement(news.message);
    if (news.hasEnded === null) return;
    const isUnseen = news.hasEnded && session !== null && !isPageSeen();
    setUnseenEnd(isUnseen ? session.id : null);
    if (isUnseen) notifyOfEnd(session);
  }, [session, isStarting, onRunChanged]);

  const noticePage = (): void => {
    if (isPageSeen()) setUnseenEnd(null);
  };
  useWindowEvent("focus", noticePage);
  useWindowEvent("visibilitychange", noticePage);
  usePageMarks(session, session !== null && unseenEnd === session.id);
  return announcement;
}

function isPageSeen(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}

/** Sets the browser tab's title and icon. `isNews`: the user hasn't seen the end of the run yet. */
function usePageMarks(session: ScanSession | null, isNews: boolean): void {
  const [pageTitle] = useState(() => document.title);
  const title = session && titleOf(session, pageTitle, isNews);
  useEffect(() => {
    document.title = title ?? pageTitle;
    return () => {
      document.title = pageTitle;
    };
  }, [title, pageTitle]);

  const icon = faviconUrl(badgeOf(session, isNews));
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon === null || !link) return;
    const own = link.getAttribute("href") ?? "";
    link.href = icon;
    return () => {
      link.href = own;
    };
  }, [icon]);
}
