import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import type { Why } from "@slabdesk/contract/api/why.ts";
import { hasOwnPhoto, imageFlagWords, pictureOf, SIDE_NAMES, SIDES } from "../image-words.ts";
import { rowTitle } from "../row-words.ts";
import { legendOf, visibleText } from "./whitespace.ts";
import {
  attemptOf,
  driftWords,
  lineCells,
  modeWords,
  noAttemptWords,
  quoteWords,
  rememberedWords,
  stateWords,
} from "./why-words.ts";

type ReportOptions = { isRunning: boolean; nowMs: number };

type Section = { title: string; lines: string[] };

/**
 * All that the drawer says as plain text, for a mail to whoever looks after the server. Times are UTC: they are compared
 * with logs. Addresses lose their query, where hosts put keys.
 */
export function whyReport(why: Why, { isRunning, nowMs }: ReportOptions): string {
  const { row } = why;
  const sections: Section[] = [
    lineSection(why),
    { title: "Repaired", lines: row.warnings },
    attemptsSection(why, nowMs),
    { title: "The sheet says otherwise", lines: row.mismatches },
    { title: "Pictures", lines: pictureLines(row) },
    { title: "Prices then", lines: priceLines(why, nowMs) },
    { title: "Remembered", lines: rememberedWords(why.memory, nowMs) },
    { title: "Reference", lines: referenceLines(why, nowMs) },
  ];
  const name = [row.gradingCompany, row.certNumber].filter(Boolean).join(" ");
  const title = rowTitle(row);
  const grade = row.grade === NOT_AVAILABLE ? null : row.grade;
  return [
    `Slabdesk: why line ${row.line} is what it is`,
    [name, title, grade].flatMap((words) => words?.trim() || []).join(" · "),
    stateWords(row, isRunning),
    ...sections
      .filter(({ lines }) => lines.length > 0)
      .flatMap(({ title, lines }) => ["", title, ...lines.map((line) => `  ${line}`)]),
    "",
  ].join("\n");
}

function lineSection(why: Why): Section {
  const cells = lineCells(why);
  const legend = legendOf(cells.map(({ cell }) => cell));
  return {
    title: `Line ${why.row.line} of ${why.csvFilename} as uploaded`,
    lines: [
      ...cells.map(({ name, cell }) => `${name}: ${visibleText(cell)}`.trimEnd()),
      ...(legend === null ? [] : [`(${legend})`]),
    ],
  };
}

function attemptsSection({ row, lookUps }: Why, nowMs: number): Section {
  const lines = lookUps.flatMap((lookUp, index) => {
    const { at, asked, duration, chip, words } = attemptOf(lookUp, row, nowMs);
    const head = [utc(at), asked, ...(duration === null ? [] : [duration]), chip].join(" · ");
    return [`${index + 1}. ${head}`, ...(words === null ? [] : [`   ${words}`])];
  });
  return { title: "Attempts", lines: lines.length > 0 ? lines : [noAttemptWords(row)] };
}

function pictureLines(row: ResultRow): string[] {
  const lineOf = (side: ImageSide): string => {
    const url = pictureOf(row, side);
    if (url === null) return `${SIDE_NAMES[side]}: none`;
    return `${SIDE_NAMES[side]}: ${hasOwnPhoto(row, side) ? "own photo" : withoutQuery(url)}`;
  };
  const hasAny = SIDES.some((side) => pictureOf(row, side) !== null);
  return [...(hasAny ? SIDES.map(lineOf) : []), ...imageFlagWords(row)];
}

function priceLines({ quotes }: Why, nowMs: number): string[] {
  return [
    ...quotes.map((quote) => `${utc(quote.fetchedAt)} · ${PRICE_SOURCE_NAMES[quote.source]}: ${quoteWords(quote)}`),
    ...driftWords(quotes, nowMs),
  ];
}

function referenceLines({ row, sessionName, processingMode, createdAt }: Why, nowMs: number): string[] {
  const { certUrl } = row;
  return [
    `Session ${row.sessionId} "${sessionName}" · ${modeWords(processingMode)}`,
    `Row ${row.id} · ${row.status}${row.outcome === null ? "" : ` · ${row.outcome}`} · uploaded ${utc(createdAt)}`,
    ...(certUrl === null || certUrl === NOT_AVAILABLE ? [] : [withoutQuery(certUrl)]),
    `Copied ${utc(new Date(nowMs).toISOString())}`,
  ];
}

/** "2026-11-21 14:05:12 UTC" */
function utc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/su, "");
}
