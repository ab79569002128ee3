import type { ActivityType } from "@slabdesk/contract/api/activity.ts";
import type { ActivityList } from "../../../api/activity.ts";
import { formatCount } from "../../../ui/format-numbers.ts";

export const ACTIVITY_LABELS: Record<ActivityType, string> = {
  app_access: "Opened the application",
  navigation: "Opened a tab",
  csv_upload: "Uploaded a file",
  template_download: "Downloaded the template",
  scan_started: "Started a run",
  scan_completed: "Run completed",
  scan_stopped: "Stopped a run",
  csv_download: "Downloaded results",
  results_cleared: "Cleared the view",
  image_swap: "Swapped images",
  pricing_fetch: "Fetched a price",
  login: "Signed in",
  logout: "Signed out",
  scan_session_created: "Created a session",
  user_created: "Created a user",
  user_status_changed: "Changed a user's status",
  session_deleted: "Deleted a session",
  user_role_changed: "Changed a user's role",
  password_changed: "Changed password",
  password_reset: "Reset a password",
  two_step_changed: "Changed two-step sign-in",
  sign_ins_ended: "Signed out devices",
  source_changed: "Changed a source",
  entry_saved: "Entered a card by hand",
  entry_removed: "Removed a card entered by hand",
  login_failed: "Failed to sign in",
  activity_exported: "Exported the activity log",
  session_opened: "Opened another user's session",
};

/** The types by group, for the type filter; each type is in one group. */
export const ACTIVITY_GROUPS: readonly { group: string; types: readonly ActivityType[] }[] = [
  {
    group: "Runs",
    types: [
      "scan_session_created",
      "scan_started",
      "scan_completed",
      "scan_stopped",
      "pricing_fetch",
      "image_swap",
      "entry_saved",
      "entry_removed",
    ],
  },
  {
    group: "Sheets and results",
    types: ["csv_upload", "template_download", "csv_download", "results_cleared"],
  },
  { group: "In the application", types: ["app_access", "navigation", "login", "login_failed", "logout"] },
  {
    group: "Administration",
    types: [
      "user_created",
      "user_status_changed",
      "user_role_changed",
      "password_changed",
      "password_reset",
      "two_step_changed",
      "sign_ins_ended",
      "session_opened",
      "session_deleted",
      "source_changed",
      "activity_exported",
    ],
  },
];

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
  switch (typeof value) {
    case "string":
      return value === "" ? "empty" : value;
    case "number":
      return formatCount(value);
    case "boolean":
      return value ? "yes" : "no";
    default:
      if (value === null || value === undefined) return "none";
      if (Array.isArray(value)) return value.map(formatValue).join(", ");
      return JSON.stringify(value);
  }
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
