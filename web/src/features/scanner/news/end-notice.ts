import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useState } from "react";
import { logQuietly } from "../../../api/quiet-log.ts";
import { countsMessage, progressOf } from "../../../run/run-progress.ts";
import { toast } from "../../../ui/toast.tsx";

/** The notification permission; `denied` outside https and localhost, where browser notifications don't exist. */
function noticePermission(): NotificationPermission {
  return "Notification" in globalThis && globalThis.isSecureContext ? Notification.permission : "denied";
}

/**
 * Whether the page may still ask for the notification permission, and the function that asks. Call it only from a click
 * or key press.
 */
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
export function notifyOfEnd(session: ScanSession): void {
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
