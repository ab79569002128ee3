import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { logQuietly } from "../../api/quiet-log.ts";
import { figuresMessage, progressOf } from "../../session/run-view.ts";

/**
 * Browser notifications exist on https and on this machine only; where they don't, there is nothing to ask for.
 */
export function noticePermission(): NotificationPermission {
  return "Notification" in globalThis && globalThis.isSecureContext ? Notification.permission : "denied";
}

/** Asks the browser's own question. To be called from a press only. */
export function askForNotices(): Promise<NotificationPermission> {
  return Notification.requestPermission();
}

/** Tells outside of the page that a run is done, if allowed. Two tabs of one session show it once. */
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
    // Phones have the permission and no notifications from a page: theirs come from service workers only.
    logQuietly("The browser shows no notifications from a page", error);
  }
}
