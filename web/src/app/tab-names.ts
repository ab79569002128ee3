/** The tabs of the page, in their order. They are state, not addresses. */
export const TAB_NAMES = ["scanner", "dashboard"] as const;
export type TabName = (typeof TAB_NAMES)[number];

export const TAB_LABELS: Record<TabName, string> = { scanner: "Scanner", dashboard: "Dashboard" };

export function isTabName(value: string | null): value is TabName {
  return TAB_NAMES.some((name) => name === value);
}
