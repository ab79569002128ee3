import { useState } from "react";

export const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

/** What a user has set on the table; remembered in this browser for every table of the product. */
export type TablePreferences = { density: Density; hiddenColumns: readonly string[] };

const STORAGE_KEY = "slabdesk-table";
const DEFAULTS: TablePreferences = { density: "comfortable", hiddenColumns: [] };

/** Reads what was remembered; anything that is not as we write it counts as nothing remembered. */
export function parsePreferences(text: string | null): TablePreferences {
  if (text === null) return DEFAULTS;
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return DEFAULTS;
    throw error;
  }
  if (typeof stored !== "object" || stored === null) return DEFAULTS;
  const density = "density" in stored ? DENSITIES.find((name) => name === stored.density) : undefined;
  const hidden = "hiddenColumns" in stored && Array.isArray(stored.hiddenColumns) ? stored.hiddenColumns : [];
  return { density: density ?? DEFAULTS.density, hiddenColumns: hidden.filter((id) => typeof id === "string") };
}

export function useTablePreferences(): [TablePreferences, (change: Partial<TablePreferences>) => void] {
  const [preferences, setPreferences] = useState(() => parsePreferences(readStored()));
  const change = (part: Partial<TablePreferences>): void => {
    setPreferences((current) => {
      const next = { ...current, ...part };
      writeStored(JSON.stringify(next));
      return next;
    });
  };
  return [preferences, change];
}

/** Storage can be forbidden by the browser's settings; the table then works without remembering. */
function readStored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

function writeStored(text: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
