import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import type { Provenance } from "@slabdesk/contract/api/provenance.ts";
import { hasOwnPhoto, imageFlagMessage, pictureOf, SIDE_NAMES, SIDES } from "../image-messages.ts";
import { populationMessage, rowTitle } from "../row-messages.ts";
import { legendOf, visibleText } from "./whitespace.ts";
import {
  attemptOf,
  driftMessage,
  lineCells,
  modeMessage,
  noAttemptMessage,
  quoteMessage,
  rememberedMessage,
  stateMessage,
} from "./provenance-messages.ts";

type ReportOptions = { isRunning: boolean; nowMs: number };

/** The card's history for support. Times are UTC, as in logs. URLs are cut at the query, which may contain keys. */
export function provenanceReport(provenance: Provenance, { isRunning, nowMs }: ReportOptions): string {
  const { row } = provenance;
  const sections: [title: string, lines: string[]][] = [
    [`Line ${row.line} of ${provenance.csvFilename} as uploaded`, uploadedLines(provenance)],
    ["Repaired", row.warnings],
    ["Attempts", attemptLines(provenance)],
    ["Differs from your sheet", row.mismatches],
    ["Pictures", pictureLines(row)],
    ["Population", populationLines(row)],
    ["Price history", priceLines(provenance)],
    ["Earlier lookups", rememberedMessage(provenance.lookupHistory)],
    ["Reference", referenceLines(provenance, nowMs)],
  ];
  const slab = [row.gradingCompany, row.certNumber].filter(Boolean).join(" ");
  const grade = row.grade === NOT_AVAILABLE ? null : row.grade;
  return [
    `Slabdesk: history of line ${row.line}`,
    [slab, rowTitle(row), grade].flatMap((message) => message?.trim() || []).join(" · "),
    stateMessage(row, isRunning),
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .flatMap(([title, lines]) => ["", title, ...lines.map((line) => `  ${line}`)]),
    "",
  ].join("\n");
}

function uploadedLines(provenance: Provenance): string[] {
  const cells = lineCells(provenance);
  const legend = legendOf(cells.map(({ cell }) => cell));
  return [
    ...cells.map(({ name, cell }) => `${name}: ${visibleText(cell)}`.trimEnd()),
    ...(legend === null ? [] : [`(${legend})`]),
  ];
}

function attemptLines({ row, lookUps }: Provenance): string[] {
  if (lookUps.length === 0) return [noAttemptMessage(row)];
  return lookUps.flatMap((lookUp, index) => {
    const { at, asked, duration, chip, message } = attemptOf(lookUp, row);
    const head = [utc(at), asked, ...(duration === null ? [] : [duration]), chip].join(" · ");
    return [`${index + 1}. ${head}`, ...(message === null ? [] : [`   ${message}`])];
  });
}

function pictureLines(row: ResultRow): string[] {
  const lineOf = (side: ImageSide): string => {
    const url = pictureOf(row, side);
    if (url === null) return `${SIDE_NAMES[side]}: none`;
    return `${SIDE_NAMES[side]}: ${hasOwnPhoto(row, side) ? "own photo" : withoutQuery(url)}`;
  };
  const hasAny = SIDES.some((side) => pictureOf(row, side) !== null);
  return [...(hasAny ? SIDES.map(lineOf) : []), ...imageFlagMessage(row)];
}

function populationLines(row: ResultRow): string[] {
  const message = populationMessage(row);
  if (message === null) return [];
  return [row.populationAsOf === null ? message : `${message} · as of ${utc(row.populationAsOf)}`];
}

function priceLines({ quotes }: Provenance): string[] {
  return [
    ...quotes.map((quote) => `${utc(quote.fetchedAt)} · ${PRICE_SOURCE_NAMES[quote.source]}: ${quoteMessage(quote)}`),
    ...driftMessage(quotes),
  ];
}

function referenceLines({ row, sessionName, processingMode, createdAt }: Provenance, nowMs: number): string[] {
  const { certUrl } = row;
  return [
    `Session ${row.sessionId} "${sessionName}" · ${modeMessage(processingMode)}`,
    `Row ${row.id} · ${row.status}${row.outcome === null ? "" : ` · ${row.outcome}`} · uploaded ${utc(createdAt)}`,
    ...(certUrl === null || certUrl === NOT_AVAILABLE ? [] : [withoutQuery(certUrl)]),
    `Copied ${utc(new Date(nowMs).toISOString())}`,
  ];
}

/** "2026-11-21 14:05:12 UTC" */
const utc = (at: string): string => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;

const withoutQuery = (url: string): string => url.replace(/[?#].*$/su, "");
