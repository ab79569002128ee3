import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import type { ScanPlan } from "@slabdesk/contract/api/plans.ts";
import type { NewScanSession } from "@slabdesk/contract/api/sessions.ts";
import { combineSheets, type NamedSheet, originOf } from "@slabdesk/contract/sheet/combine.ts";
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from "@slabdesk/contract/api/sheet-format.ts";
import { judgeRow, type SheetRow } from "@slabdesk/contract/sheet/row.ts";
import type { Sheet, SheetMapping } from "@slabdesk/contract/sheet/sheet.ts";
import { lookupHistoryMessages } from "../../../run/lookup-history-messages.ts";
import { linesIn } from "./line-filter.ts";
import { type LineNotes, NOTES_LISTED, type SheetLine, type SheetSummary, summarizeSheet } from "./sheet-summary.ts";
import { NOTHING_REMEMBERED, type RememberedSheets, workbookKey } from "./remembered-sheets.ts";
import * as sheetParts from "./sheet-parts.ts";
import { type EditedField, type Guess, rowsOfPart, withCell } from "./sheet-edits.ts";

export type SheetColumns = SheetMapping & {
  part: number;
  name: string;
  header: string[];
  preview: string[][];
  isRemembered: boolean;
};

/** What to ask before a sheet is ready; the first of several questions. */
export type SheetQuestion =
  | { kind: "sheets"; source: number; fileName: string; sheets: { name: string; certCount: number }[] }
  | { kind: "columns"; columns: SheetColumns };

export type SheetAnswer =
  | { kind: "refused"; message: string }
  | { kind: "question"; question: SheetQuestion }
  | ({ kind: "ready" } & SheetContents);

/** What the page shows of a ready sheet. `guess` is set if rows without a company get one from their numbers. */
export type SheetContents = { summary: SheetSummary; lines: SheetLine[]; columns: SheetColumns[]; guess: Guess | null };

export type RunOptions = { mode: Mode; reuseKnown: boolean; includePricing: boolean };
export type SessionOptions = RunOptions & Pick<NewScanSession, "sessionName" | "csvFilename" | "sheetFingerprint">;

const PREVIEW_ROWS = 5;

/** All processing of a sheet of up to 100,000 rows, off the main thread. The rows stay here. Start with `read`. */
export class SheetWork {
  #remembered = NOTHING_REMEMBERED;
  #sources: sheetParts.OpenedSource[] = [];
  /** The selected tables by source; null while unknown. */
  #taken: (readonly string[] | null)[] = [];
  #parts: sheetParts.Part[] = [];
  #guess: Guess = "numbers";
  #sheet: Sheet | null = null;
  #slimRows: Blob | null = null;

  async read(sources: readonly sheetParts.SheetSource[], remembered: RememberedSheets): Promise<SheetAnswer> {
    this.#remembered = remembered;
    const openings = await Promise.all(sources.map(sheetParts.openSource));
    const refused = openings.findIndex(({ ok }) => !ok);
    const opening = openings[refused];
    if (opening && !opening.ok) return { kind: "refused", message: aboutOne(sources, refused, opening.message) };
    this.#sources = openings.flatMap((one) => (one.ok ? [one.opened] : []));
    this.#taken = this.#sources.map((source) => this.#obviousTables(source));
    return this.#settle();
  }

  useSheets(source: number, names: readonly string[]): SheetAnswer {
    this.#taken[source] = names;
    return this.#settle();
  }

  useColumns(part: number, mapping: SheetMapping): SheetAnswer {
    this.#parts[part] = sheetParts.withColumns(this.#part(part), mapping);
    return this.#combine();
  }

  editCell(line: number, field: EditedField, text: string): SheetAnswer {
    const [at, partLine] = this.#placeOf(line);
    this.#parts[at] = withCell(this.#part(at), partLine, field, text);
    return this.#combine();
  }

  guessCompanies(guess: Guess): SheetAnswer {
    this.#guess = guess;
    return this.#combine();
  }

  /** Gives each row the company that its number suggests. */
  acceptSuggestions(): SheetAnswer {
    const companies = this.#parts.map((part) => new Map(part.companies));
    for (const row of this.#ready().rows) {
      const { suggestion } = judgeRow(row);
      const [at, line] = this.#placeOf(row.line);
      if (suggestion !== null) companies[at]?.set(line, suggestion);
    }
    this.#parts = this.#parts.map((part, at) => ({ ...part, companies: companies[at] ?? part.companies }));
    return this.#combine();
  }

  checkColumns(part: number, mapping: SheetMapping): sheetParts.ColumnsCheck {
    return sheetParts.checkColumns(this.#part(part), mapping);
  }

  /** The body of a plan request. It contains only the rows' certificates; other cells don't affect a plan. */
  planBody(options: RunOptions): Blob {
    this.#slimRows ??= new Blob([
      JSON.stringify(
        this.#ready().rows.map(({ line, certNumber, gradingCompany }) => ({ line, certNumber, gradingCompany })),
      ),
    ]);
    return jsonBody([JSON.stringify(options).slice(0, -1), ',"rows":', this.#slimRows, "}"]);
  }

  sessionBody(options: SessionOptions): Blob {
    const { header, delimiter, rows } = this.#ready();
    const session = { ...options, header, delimiter, rows } satisfies NewScanSession;
    return jsonBody([JSON.stringify(session)]);
  }

  waitingLines(waits: ScanPlan["waits"]): LineNotes[] {
    return waits.map((wait) => waitingLines(wait, this.#ready()));
  }

  lookupHistoryLines(lookupHistory: PlanLookupHistory): LineNotes {
    return lookupHistoryLines(lookupHistory, this.#ready());
  }

  #part(index: number): sheetParts.Part {
    const part = this.#parts[index];
    if (!part) throw new RangeError(`Unknown part ${index}`);
    return part;
  }

  /** The part of a line of the combined sheet, and its line there. */
  #placeOf(line: number): [part: number, line: number] {
    if (this.#parts.length === 1) return [0, line];
    let index = line - 2;
    for (const [at, { reading }] of this.#parts.entries()) {
      const rows = reading.ok ? reading.sheet.rows : [];
      const row = rows[index];
      if (row) return [at, row.line];
      index -= rows.length;
    }
    throw new RangeError(`Unknown line ${line}`);
  }

  #ready(): Sheet {
    if (!this.#sheet) throw new Error("No sheet is ready");
    return this.#sheet;
  }

  /** The tables to use without asking: the only one, the remembered ones, or the only one with certificates. */
  #obviousTables({ name, tables }: sheetParts.OpenedSource): string[] | null {
    const names = tables.map((table) => table.name);
    if (names.length === 1) return names;
    const remembered = this.#remembered.sheets[workbookKey(name, names)];
    if (remembered) return remembered.filter((taken) => names.includes(taken));
    const withCerts = tables.filter((table) => sheetParts.countCerts(table, this.#remembered) > 0);
    return withCerts.length === 1 ? withCerts.map((table) => table.name) : null;
  }

  #settle(): SheetAnswer {
    const open = this.#taken.indexOf(null);
    const asked = this.#sources[open];
    if (asked) {
      const sheets = asked.tables.map((table) => ({
        name: table.name,
        certCount: sheetParts.countCerts(table, this.#remembered),
      }));
      return { kind: "question", question: { kind: "sheets", source: open, fileName: asked.name, sheets } };
    }
    this.#parts = this.#sources.flatMap((source, index) => this.#partsOf(source, this.#taken[index] ?? []));
    return this.#combine();
  }

  #partsOf({ name, form, tables }: sheetParts.OpenedSource, taken: readonly string[]): sheetParts.Part[] {
    return tables
      .filter((table) => taken.includes(table.name))
      .map((table) =>
        sheetParts.readPart(taken.length > 1 ? `${name} › ${table.name}` : name, table, form, this.#remembered),
      );
  }

  #combine(): SheetAnswer {
    const sheets: NamedSheet[] = [];
    const columns: SheetColumns[] = [];
    for (const [index, part] of this.#parts.entries()) {
      const { name, reading, isRemembered } = part;
      if (reading.ok) {
        const { header, rows } = reading.sheet;
        const preview = rows.slice(0, PREVIEW_ROWS).map(({ cells }) => cells);
        sheets.push({ fileName: name, sheet: { ...reading.sheet, rows: rowsOfPart(part, this.#guess) } });
        columns.push({ ...reading.mapping, part: index, name, header, preview, isRemembered });
      } else if (reading.question) {
        const asked = { ...reading.question, part: index, name, company: null, isRemembered: false };
        return { kind: "question", question: { kind: "columns", columns: asked } };
      } else {
        return { kind: "refused", message: (this.#parts.length > 1 ? `“${name}”: ` : "") + reading.message };
      }
    }
    const [first, ...others] = sheets;
    if (!first) return { kind: "refused", message: "No sheet was chosen." };
    const sheet = combineSheets([first, ...others]);
    const tooMuch = limitMessage(sheet);
    if (tooMuch !== null) return { kind: "refused", message: tooMuch };
    this.#sheet = sheet;
    this.#slimRows = null;
    const guess = this.#parts.some(({ isBare }) => isBare) ? this.#guess : null;
    return { kind: "ready", ...summarizeSheet(sheet), columns, guess };
  }
}

function jsonBody(pieces: BlobPart[]): Blob {
  return new Blob(pieces, { type: "application/json" });
}

function aboutOne(sources: readonly sheetParts.SheetSource[], index: number, message: string): string {
  const source = sources[index];
  const isNamed = sources.length > 1 && source?.kind === "file" && !message.startsWith("“");
  return isNamed ? `“${source.file.name}”: ${message}` : message;
}

function limitMessage({ rows, header }: Sheet): string | null {
  if (rows.length > MAX_SHEET_ROWS)
    return `The files have ${rows.length} rows together. A session holds at most ${MAX_SHEET_ROWS}. Upload them one at a time.`;
  const widest = rows.reduce((width, { cells }) => Math.max(width, cells.length), header.length);
  // A wider sheet is formatted out to the last column or transposed.
  if (widest > MAX_SHEET_COLUMNS)
    return `The file has ${widest} columns. A session takes at most ${MAX_SHEET_COLUMNS}. Delete the ones you don't need and upload it again.`;
  return null;
}

type Lines = Pick<Sheet, "header" | "rows">;

/** The rows that will wait, as sheet lines. */
export function waitingLines({ rows, lines, message }: ScanPlan["waits"][number], sheet: Lines): LineNotes {
  const waiting = linesIn(lines);
  const notes = notesOn(sheet, ({ line }) => (waiting.has(line) ? message : null));
  return { count: rows, notes: notes.slice(0, NOTES_LISTED) };
}

/** The cards with a lookup history as sheet lines; each card appears on its first line. */
export function lookupHistoryLines({ total, cards }: PlanLookupHistory, sheet: Lines): LineNotes {
  const byLine = new Map(cards.map((card) => [card.line, lookupHistoryMessages(card).join(". ")]));
  return { count: total, notes: notesOn(sheet, ({ line }) => byLine.get(line) ?? null) };
}

function notesOn({ header, rows }: Lines, messageOf: (row: SheetRow) => string | null): LineNotes["notes"] {
  return rows.flatMap((row) => {
    const message = messageOf(row);
    return message === null ? [] : [{ line: row.line, where: originOf(header, row), typed: row.certNumber, message }];
  });
}
