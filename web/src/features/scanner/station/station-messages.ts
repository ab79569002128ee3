import { parseCertUrl } from "@slabdesk/contract/certs/cert-text.ts";
import { cutText } from "@slabdesk/contract/certs/text.ts";
import type { Tone } from "../../../ui/tone.ts";
import { counted } from "../../../ui/format-numbers.ts";
import type { StationState, Verdict } from "./station.ts";
import { countWaiting } from "./ledger.ts";

/** What the last scan or undo did; without one, what to do. */
export function verdictMessage(verdict: Verdict | null): { title: string | null; about: string } {
  if (verdict === null)
    return { title: null, about: "Scan the code on a slab. The company is recognized from the code." };
  if (verdict.kind === "unreadable") return { title: "Unreadable", about: verdict.message };
  const { kind, number, scan } = verdict;
  const titles = {
    ok: `No. ${number}`,
    duplicate: `Already scanned as no. ${number}`,
    undone: `No. ${number} removed`,
  };
  const cert = `${scan.company} ${scan.certNumber}`;
  const repaired = kind === "ok" ? scan.repaired : "";
  return { title: titles[kind], about: repaired === "" ? cert : `${cert} · ${repaired}` };
}

/** What the server doesn't have yet, and why; null if there is nothing to report. */
export function linkMessage({ ledger, link, isKept }: StationState): { tone: Tone; message: string } | null {
  const waiting = countWaiting(ledger);
  const undone = ledger.leaving.length;
  const waits = [waiting > 0 ? waitMessage(waiting) : null, undone > 0 ? `${undone} still to be removed` : null]
    .filter((message) => message !== null)
    .join(", ");
  if (waits === "") return null;
  const keeping = isKept ? "saved in this browser" : "lost if you close this tab";
  if (link.kind === "refused") return { tone: "bad", message: `${waits}: ${link.problem}` };
  if (link.kind === "away") return { tone: "warn", message: `Connection lost. ${waits}, ${keeping}. Reconnecting…` };
  return isKept ? null : { tone: "warn", message: `${waits}, ${keeping}.` };
}

export function waitMessage(count: number): string {
  return `${counted(count, "scan")} waiting to be sent`;
}

/** "Scanned 98174651", "Scanned 3 codes", for scans outside the station. */
export function scannedMessage(texts: readonly string[]): string {
  const [only] = texts.length === 1 ? texts : [];
  return only === undefined
    ? `Scanned ${counted(texts.length, "code")}`
    : `Scanned ${parseCertUrl(only)?.number ?? cutText(only, 40)}`;
}
