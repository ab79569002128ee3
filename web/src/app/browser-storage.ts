/**
 * This page's browser storage. Keys below `slabdesk:` belong to the signed-in user and are removed at logout;
 * preferences (color scheme, columns) belong to the device and stay.
 */
const USER_PREFIX = "slabdesk:";
/** Scans that may not have been sent yet. The key contains the user ID. */
const SCANS_PREFIX = "slabdesk:scan-station:";
const APP_ACCESS_KEY = "slabdesk-app-access";
const NOTICE_KEY = "slabdesk-notice";

/** Removes the user's keys. After a lost session, unsent scans stay, and are restored at the next sign-in. */
export function forgetUser({ keepsScans }: { keepsScans: boolean }): void {
  for (const storage of [sessionStorage, localStorage]) {
    const keys = Object.keys(storage).filter((key) => key.startsWith(USER_PREFIX));
    for (const key of keys) if (!keepsScans || !key.startsWith(SCANS_PREFIX)) storage.removeItem(key);
  }
}

/** True only for the first call in this browser session. */
export function takeFirstAccess(): boolean {
  if (sessionStorage.getItem(APP_ACCESS_KEY) !== null) return false;
  sessionStorage.setItem(APP_ACCESS_KEY, "logged");
  return true;
}

/** Stores a message that the login screen shows after a reload. */
export function leaveNotice(message: string): void {
  sessionStorage.setItem(NOTICE_KEY, message);
}

export function takeNotice(): string | null {
  const notice = sessionStorage.getItem(NOTICE_KEY);
  sessionStorage.removeItem(NOTICE_KEY);
  return notice;
}
