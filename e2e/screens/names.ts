/** The screens in the order of screens.spec.ts. */
export const SCREENS = [
  "login",
  "scanner-empty",
  "scanner-sheet",
  "scanner",
  "scanner-waits",
  "scanner-plan",
  "number-editor",
  "results",
  "export-menu",
  "card-photos",
  "priced",
  "card-market",
  "review",
  "card-history",
  "offers-dialog",
  "debug",
  "dashboard-search",
  "dashboard",
  "admin-overview",
  "admin-users",
  "admin-add-user",
  "admin-sessions",
  "admin-activity",
  "admin-sources",
  "account",
  "columns-dialog",
  "scan-station",
] as const;

export type ScreenName = (typeof SCREENS)[number];

export const SCHEMES = ["light", "dark"] as const;
export type Scheme = (typeof SCHEMES)[number];

/** `suffix` is part of the names of a window's screenshots. If it is null, no screenshots are taken. */
export const WINDOWS = [
  { name: "desktop", suffix: "", viewport: { width: 1440, height: 900 } },
  { name: "phone", suffix: "-phone", viewport: { width: 390, height: 844 } },
  // 1440 by 900 at 200 %.
  { name: "zoom", suffix: null, viewport: { width: 720, height: 450 } },
] as const;
export type Window = (typeof WINDOWS)[number];

/** The names of all screenshots of one window. */
export function screenshotNames({ suffix }: Window): string[] {
  if (suffix === null) return [];
  return SCREENS.flatMap((screen) => SCHEMES.map((scheme) => screenshotName(screen, suffix, scheme)));
}

export function screenshotName(screen: ScreenName, suffix: string, scheme: Scheme): string {
  return `${screen}${suffix}-${scheme}.png`;
}
