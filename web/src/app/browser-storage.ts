/**
 * This page's browser storage. Keys below `slabdesk:` belong to the signed-in user and are removed at logout;
 * preferences (color scheme, columns) belong to the device and stay.
 */
const USER_PREFIX = "slabdesk:";
/** Scans that may not have been sent yet. The key contains the user ID. */
const SCANS_PREFIX = "slabdesk:scan-station:";
const APP_ACCESS_KEY = "slabdesk-app-access";
const NOTICE_KEY = "slabdesk-notice";

/** Removes all of the user's keys at logout. */
export function forgetUser(): void {
  removeKeys((key) => key.startsWith(USER_PREFIX));
}

/** Removes the user's keys after a lost session, except unsent scans, which are restored at the next sign-in. */
export function forgetLostSession(): void {
  removeKeys((key) => key.startsWith(USER_PREFIX) && !key.startsWith(SCANS_PREFIX));
}

function removeKeys(isGone: (key: string) => boolean): void {
  for (const storage of [sessionStorage, localStorage]) {
    for (const key of Object.keys(storage)) if (isGone(key)) storage.removeItem(key);
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
