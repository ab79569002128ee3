import type { Role } from "@slabdesk/contract/api/people.ts";

/** The page's tabs, in order. They are state, not URLs. */
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
