import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { toFix, progressOf } from "../../../run/run-progress.ts";

/** The page's icon: a run's progress or result. `plain` is the app's logo. */
export type Badge =
  | { kind: "plain" }
  | { kind: "running"; percent: number; hasToFix: boolean }
  | { kind: "done" }
  | { kind: "to_fix" };

/** `isNews`: the user hasn't seen the end of the run yet. */
export function badgeOf(session: ScanSession | null, isNews: boolean): Badge {
  if (session === null) return { kind: "plain" };
  const progress = progressOf(session);
  const hasToFix = toFix(progress) > 0;
  if (session.status === "processing") return { kind: "running", percent: progress.percent, hasToFix };
  if (!isNews) return { kind: "plain" };
  return { kind: hasToFix ? "to_fix" : "done" };
}

const CIRCUMFERENCE = 2 * Math.PI * 12;
/** The tokens of the light scheme. Browser tabs have their own scheme, and these colors are visible on both. */
const ACCENT = "#4f46e5";
const GOOD = "#12805c";
const BAD = "#b42318";

/** An SVG as a data URL, which our content security policy allows for images; null for the app's logo. */
export function faviconUrl(badge: Badge): string | null {
  const drawing = drawingOf(badge);
  if (drawing === null) return null;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${drawing}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function drawingOf(badge: Badge): string | null {
  switch (badge.kind) {
    case "plain":
      return null;
    case "running": {
      const drawn = (CIRCUMFERENCE * badge.percent) / 100;
      const ring = `<circle cx="16" cy="16" r="12" fill="#fff" stroke="#d2d1cb" stroke-width="6"/><circle cx="16" cy="16" r="12" fill="none" stroke="${ACCENT}" stroke-width="6" stroke-dasharray="${drawn.toFixed(1)} ${CIRCUMFERENCE.toFixed(1)}" transform="rotate(-90 16 16)"/>`;
      return badge.hasToFix ? `${ring}<circle cx="16" cy="16" r="6" fill="${BAD}"/>` : ring;
    }
    case "done":
      return `<circle cx="16" cy="16" r="15" fill="${GOOD}"/><path d="M9 16.5l5 5 9-10.5" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>`;
    case "to_fix":
      return `<circle cx="16" cy="16" r="15" fill="${BAD}"/><path d="M16 8v10M16 23.5v.5" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>`;
  }
}
