import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useEffect, useState } from "react";
import { badgeOf, faviconUrl } from "./favicon.ts";
import { titleOf } from "../../../run/run-view.ts";

/** True if the page is visible and focused. */
export function isPageSeen(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}

/** Calls the listener when the page becomes visible and focused again. Returns an unsubscribe function. */
export function onPageSeen(listener: () => void): () => void {
  const onChange = (): void => {
    if (isPageSeen()) listener();
  };
  document.addEventListener("visibilitychange", onChange);
  window.addEventListener("focus", onChange);
  return () => {
    document.removeEventListener("visibilitychange", onChange);
    window.removeEventListener("focus", onChange);
  };
}

/** Sets the browser tab's title and icon. `isNews`: the user hasn't seen the end of the run yet. */
export function usePageMarks(session: ScanSession | null, isNews: boolean): void {
  const [pageTitle] = useState(() => document.title);
  const title = session ? titleOf(session, pageTitle, isNews) : null;
  useEffect(() => {
    document.title = title ?? pageTitle;
    return () => {
      document.title = pageTitle;
    };
  }, [title, pageTitle]);

  const icon = faviconUrl(badgeOf(session, isNews));
  useEffect(() => {
    if (icon === null) return;
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link) return;
    const own = link.getAttribute("href") ?? "";
    link.href = icon;
    return () => {
      link.href = own;
    };
  }, [icon]);
}
