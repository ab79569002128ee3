import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useEffect, useRef, useState } from "react";
import { announcementOf, titleOf } from "./run-view.ts";

/**
 * What the rest of the page and a screen reader hear of a run: a sentence when it begins and when it ends (never per
 * card), its progress in the document's title, and `onRunEnded` once when a run that was seen running is over.
 */
export function useRunEnd(session: ScanSession | null, onRunEnded: () => void): string {
  const [announcement, setAnnouncement] = useState("");
  const seen = useRef<{ id: string; status: ScanSession["status"] } | null>(null);

  useEffect(() => {
    if (!session) return;
    const before = seen.current?.id === session.id ? seen.current.status : null;
    seen.current = { id: session.id, status: session.status };
    if (before === session.status || (before === null && session.status !== "processing")) return;
    setAnnouncement(announcementOf(session));
    if (before === "processing") onRunEnded();
  }, [session, onRunEnded]);

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
