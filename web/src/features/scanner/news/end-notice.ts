import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { logQuietly } from "../../../api/quiet-log.ts";
import { figuresMessage, progressOf } from "../../../run/run-view.ts";

/** The notification permission; `denied` outside https and localhost, where browser notifications don't exist. */
export function noticePermission(): NotificationPermission {
  return "Notification" in globalThis && globalThis.isSecureContext ? Notification.permission : "denied";
}

/** Shows the browser's permission prompt. Call only from a click or key press. */
export function askForNotices(): Promise<NotificationPermission> {
  return Notification.requestPermission();
}

/** Shows a browser notification at the end of a run, if permitted. Two tabs of one session show it once. */
export function notifyOfEnd(session: ScanSession): void {
  if (noticePermission() !== "granted") return;
  try {
    const notice = new Notification(`Done · ${session.sessionName}`, {
      body: figuresMessage(progressOf(session)),
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
