/**
 * What this page keeps in the browser. Keys below `slabdesk:` are the signed-in user's and go when he logs out;
 * preferences (color scheme, columns) are the device's and stay.
 */
const USER_PREFIX = "slabdesk:";
/** Scans that may not have been sent yet; the key names their user. */
const SCANS_PREFIX = "slabdesk:scan-station:";
const APP_ACCESS_KEY = "slabdesk-app-access";
const NOTICE_KEY = "slabdesk-notice";

/** What somebody who logs out leaves behind: nothing. */
export function forgetUser(): void {
  removeKeys((key) => key.startsWith(USER_PREFIX));
}

/** What a lost session leaves behind: the scans that its user is to find again when he signs in anew. */
export function forgetLostSession(): void {
  removeKeys((key) => key.startsWith(USER_PREFIX) && !key.startsWith(SCANS_PREFIX));
}

function removeKeys(isGone: (key: string) => boolean): void {
  for (const storage of [sessionStorage, localStorage]) {
    for (const key of Object.keys(storage)) if (isGone(key)) storage.removeItem(key);
  }
}

/** True the first time in this browser session only. */
export function takeFirstAccess(): boolean {
  if (sessionStorage.getItem(APP_ACCESS_KEY) !== null) return false;
  sessionStorage.setItem(APP_ACCESS_KEY, "logged");
  return true;
}

/** Leaves a message for the login screen on the other side of a reload. */
export function leaveNotice(message: string): void {
  sessionStorage.setItem(NOTICE_KEY, message);
}

export function takeNotice(): string | null {
  const notice = sessionStorage.getItem(NOTICE_KEY);
  sessionStorage.removeItem(NOTICE_KEY);
  return notice;
}
