import type { ActivityType } from "@slabdesk/contract/api/activity.ts";
import type { ActivityList } from "../../../api/activity.ts";
import { formatCount } from "../../../ui/format-numbers.ts";

/** The types by group, for the type filter. */
export const ACTIVITY_GROUPS = {
  Runs: {
    scan_session_created: "Created a session",
    scan_started: "Started a run",
    scan_completed: "Run completed",
    scan_stopped: "Stopped a run",
    pricing_fetch: "Fetched a price",
    image_swap: "Swapped images",
    entry_saved: "Entered a card by hand",
    entry_removed: "Removed a card entered by hand",
  },
  "Sheets and results": {
    csv_upload: "Uploaded a file",
    template_download: "Downloaded the template",
    csv_download: "Downloaded results",
    results_cleared: "Cleared the view",
  },
  "In the application": {
    app_access: "Opened the application",
    navigation: "Opened a tab",
    login: "Signed in",
    login_failed: "Failed to sign in",
    logout: "Signed out",
  },
  Administration: {
    user_created: "Created a user",
    user_status_changed: "Changed a user's status",
    user_role_changed: "Changed a user's role",
    password_changed: "Changed password",
    password_reset: "Reset a password",
    two_step_changed: "Changed two-step sign-in",
    auth_sessions_ended: "Signed out devices",
    session_opened: "Opened another user's session",
    rows_searched: "Searched all users' rows",
    session_deleted: "Deleted a session",
    source_changed: "Changed a source",
    activity_exported: "Exported the activity log",
  },
};

export const ACTIVITY_LABELS: Record<ActivityType, string> = {
  ...ACTIVITY_GROUPS.Runs,
  ...ACTIVITY_GROUPS["Sheets and results"],
  ...ACTIVITY_GROUPS["In the application"],
  ...ACTIVITY_GROUPS.Administration,
};

/** An entry's metadata as name-value pairs, with IDs last; empty if there is none. */
export function metadataLines(metadata: Readonly<Record<string, unknown>>): { name: string; value: string }[] {
  const lines = Object.entries(metadata).map(([key, value]) => ({
    name: readableName(key),
    value: formatValue(value),
  }));
  const isId = ({ name }: { name: string }): boolean => name.endsWith(" id");
  return [...lines.filter((line) => !isId(line)), ...lines.filter(isId)];
}

/** Turns `sessionName` or `session_name` into "Session name". */
function readableName(key: string): string {
  const message = key
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_\s]+/g, " ")
    .trim()
    .toLowerCase();
  return message === "" ? key : message.charAt(0).toUpperCase() + message.slice(1);
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "string") return value === "" ? "empty" : value;
  if (typeof value === "number") return formatCount(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.map(formatValue).join(", ") : JSON.stringify(value);
}

/** The number of new entries: "1 new entry", "100+ new entries". Null if there are none. */
export function newsMessage(shown: ActivityList, newest: ActivityList): string | null {
  const known = new Set(shown.activity.map(({ id }) => id));
  const place = newest.activity.findIndex(({ id }) => known.has(id));
  const count = place === -1 ? newest.activity.length : place;
  if (count === 0) return null;
  const isMore = place === -1 && newest.nextCursor !== null;
  return `${count}${isMore ? "+" : ""} new ${count === 1 ? "entry" : "entries"}`;
}
