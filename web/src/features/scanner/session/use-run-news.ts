import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useWindowEvent } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { logQuietly } from "../../../api/quiet-log.ts";
import { announcementOf, countsMessage, pricesLeft, progressOf, titleOf, toFix } from "../../../run/run-progress.ts";
import { toast } from "../../../ui/toast.tsx";
import { isRunning } from "../scanner-state.ts";
import type { Scanner } from "../use-scanner.ts";
import { newWaitsMessage } from "./waits.ts";

/** Publishes a run's progress outside the scanner: announcement, title and icon, notification, and `onRunChanged`. */
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

/**
 * What changed in the visible session since `seen`, with the screen-reader announcement as `message`. `isChanged`:
 * another one is shown, or it started, resumed, or ended. `hasEnded` is null if its state didn't change. A session that
 * was over when first shown is news only if it was started here: a sheet of cached certs finishes at once. Prices that
 * arrive after the end, late or repriced, don't start or end a run.
 */
export function newsOf(seen: ScanSession | null, session: ScanSession | null, isOwnStart: boolean, nowMs: number) {
  const before = seen?.id === session?.id ? seen : null;
  const isChanged = seen?.id !== session?.id || before?.status !== session?.status;
  if (!session) return { isChanged, hasEnded: isChanged ? false : null, message: null };
  const isNews = isChanged && (before !== null || isOwnStart || session.status === "processing");
  return {
    isChanged,
    hasEnded: isChanged ? isNews && session.status === "completed" : null,
    message:
      [
        isNews ? announcementOf(session, before !== null) : null,
        isChanged || before === null ? null : pricesMessage(before, session),
        newWaitsMessage(before, session, nowMs),
      ]
        .filter((sentence) => sentence !== null)
        .join(". ") || null,
  };
}

/** Announced once, when the last price fetched after the end arrives. */
function pricesMessage(before: ScanSession, session: ScanSession): string | null {
  const isOver = session.status !== "processing";
  return isOver && pricesLeft(before) > 0 && pricesLeft(session) === 0 ? "All prices are in" : null;
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

/** The notification permission; `denied` outside https and localhost, where browser notifications don't exist. */
function noticePermission(): NotificationPermission {
  return "Notification" in globalThis && globalThis.isSecureContext ? Notification.permission : "denied";
}

/** Whether the page may still ask for the notification permission. Call `ask` only from a click or key press. */
export function useEndNotice(): { canAsk: boolean; ask: () => void } {
  const [permission, setPermission] = useState(noticePermission);
  const ask = async (): Promise<void> => {
    const answer = await Notification.requestPermission();
    setPermission(answer);
    if (answer === "granted")
      toast.done({ id: "end-notice", message: "We'll notify you when it's done if this tab is still open" });
    if (answer === "denied")
      toast.info({ id: "end-notice", message: "Notifications are blocked. The tab's title will show when it's done" });
  };
  return { canAsk: permission === "default", ask: () => void ask() };
}

/** Shows a browser notification at the end of a run, if permitted. Two tabs of one session show it once. */
function notifyOfEnd(session: ScanSession): void {
  if (noticePermission() !== "granted") return;
  try {
    const notice = new Notification(`Done · ${session.sessionName}`, {
      body: countsMessage(progressOf(session)),
      tag: `slabdesk-${session.id}`,
    });
    notice.addEventListener("click", () => {
      window.focus();
      notice.close();
    });
  } catch (error) {
    // Mobile browsers grant the permission but show notifications only from service workers.
    logQuietly("The browser doesn't support notifications from a page", error);
  }
}

/** The page's icon: a run's progress or result. `plain` is the app's logo. */
export type Badge = { kind: "plain" | "done" | "to_fix" } | { kind: "running"; percent: number; hasToFix: boolean };

/** `isNews`: the user hasn't seen the end of the run yet. */
export function badgeOf(session: ScanSession | null, isNews: boolean): Badge {
  if (session === null) return { kind: "plain" };
  const progress = progressOf(session);
  const hasToFix = toFix(progress) > 0;
  if (session.status === "processing") return { kind: "running", percent: progress.percent, hasToFix };
  if (!isNews) return { kind: "plain" };
  return { kind: hasToFix ? "to_fix" : "done" };
}

const CIRCUMFERENCE = 2 * Math.PI * 12;
/** The tokens of the light scheme. Browser tabs have their own scheme, and these colors are visible on both. */
const ACCENT = "#4f46e5";
const GOOD = "#12805c";
const BAD = "#b42318";

/** An SVG as a data URL, which our content security policy allows for images; null for the app's logo. */
export function faviconUrl(badge: Badge): string | null {
  if (badge.kind === "plain") return null;
  const drawing = badge.kind === "running" ? ringOf(badge) : ENDS[badge.kind];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${drawing}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

const ENDS = {
  done: `<circle cx="16" cy="16" r="15" fill="${GOOD}"/><path d="M9 16.5l5 5 9-10.5" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>`,
  to_fix: `<circle cx="16" cy="16" r="15" fill="${BAD}"/><path d="M16 8v10M16 23.5v.5" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>`,
};

function ringOf({ percent, hasToFix }: Extract<Badge, { kind: "running" }>): string {
  const drawn = (CIRCUMFERENCE * percent) / 100;
  const ring = `<circle cx="16" cy="16" r="12" fill="#fff" stroke="#d2d1cb" stroke-width="6"/><circle cx="16" cy="16" r="12" fill="none" stroke="${ACCENT}" stroke-width="6" stroke-dasharray="${drawn.toFixed(1)} ${CIRCUMFERENCE.toFixed(1)}" transform="rotate(-90 16 16)"/>`;
  return hasToFix ? `${ring}<circle cx="16" cy="16" r="6" fill="${BAD}"/>` : ring;
}
