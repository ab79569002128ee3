import type { Role } from "@slabdesk/contract/api/people.ts";

/** The page's tabs, in order. They are state of one page; its URL's query mirrors them. */
const TAB_NAMES = ["scanner", "dashboard", "admin"] as const;
export type TabName = (typeof TAB_NAMES)[number];
export const TAB_LABELS: Record<TabName, string> = { scanner: "Scanner", dashboard: "Dashboard", admin: "Admin" };

export function isTabName(value: string | null): value is TabName {
  return TAB_NAMES.some((name) => name === value);
}

/** The tabs a user sees. Only admins see Admin. */
export function tabsOf(role: Role): readonly TabName[] {
  return TAB_NAMES.filter((name) => name !== "admin" || role === "admin");
}

/** The sub-tabs of Admin, in order. */
export const ADMIN_PARTS = ["overview", "users", "sessions", "activity", "sources"] as const;
export type AdminPart = (typeof ADMIN_PARTS)[number];

export const ADMIN_LABELS: Record<AdminPart, string> = {
  overview: "Overview",
  users: "Users",
  sessions: "Sessions",
  activity: "Activity",
  sources: "Sources",
};

export function isAdminPart(value: string | null | undefined): value is AdminPart {
  return ADMIN_PARTS.some((name) => name === value);
}

/** Where a person is within a tab, as far as it has something to say. */
export type Spot = {
  /** The id of the open session. */
  session?: string | undefined;
  /** The id of the row that the person came for. */
  row?: string | undefined;
  /** The id of the row whose card is open. */
  card?: string | undefined;
  /** The text that all scans are searched for. */
  search?: string | undefined;
  admin?: AdminPart | undefined;
  /** The id of the person that Admin shows. */
  person?: string | undefined;
};

/** Longer than any id or search text. */
const LONGEST = 200;

/** The place that a URL's query names. Ignores what no place can have. */
export function parsePlace(query: string): { tab: TabName; spot: Spot } {
  const given = new URLSearchParams(query);
  const tab = given.get("tab");
  const part = given.get("admin");
  const textOf = (name: string): string | undefined => given.get(name)?.trim().slice(0, LONGEST) || undefined;
  const rowIdOf = (name: string): string | undefined => /^\d{1,15}$/.exec(textOf(name) ?? "")?.[0];
  return {
    tab: isTabName(tab) ? tab : "scanner",
    spot: {
      session: textOf("session"),
      row: rowIdOf("row"),
      card: rowIdOf("card"),
      search: textOf("search"),
      admin: isAdminPart(part) ? part : undefined,
      person: textOf("person"),
    },
  };
}

/** The URL of a place, from the root: "/?tab=dashboard&session=…". The Scanner without a session is "/". */
export function placeUrl(tab: TabName, spot: Spot = {}): string {
  const query = new URLSearchParams(tab === "scanner" ? {} : { tab });
  for (const [name, value] of Object.entries(spot)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? "/" : `/?${query}`;
}
