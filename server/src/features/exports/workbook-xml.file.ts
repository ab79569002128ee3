import type { ColumnKind } from "@slabdesk/contract/sheet/export-columns.ts";
import { isFormula } from "@slabdesk/contract/sheet/safe-cells.ts";

/* The parts of an XLSX file (ECMA-376) as text. A cell is an inline string or a number, never a formula. */

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";

/** Excel's maximum cell length in UTF-16 units (an emoji has two). It reports a file with longer cells as damaged. */
const LONGEST_CELL = 32_767;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,10})?$/;

/** Positions in `STYLES`. */
const STYLE = { text: 1, quoted: 2, amount: 3, number: 4, link: 5, header: 6 } as const;

/** Fonts: 0 plain, 1 bold, 2 link. Number formats: 49 text, 4 #,##0.00. `quotePrefix` is Excel's hidden apostrophe. */
export const STYLES = `${DECLARATION}<styleSheet xmlns="${MAIN}"><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="7"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="2" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

export const WORKBOOK = `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView/></bookViews><sheets><sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>`;

/** Yields a part's relationships. The n-th has the id `rId{n}`, starting at 1. */
export function* relations(list: Iterable<{ type: string; target: string; isExternal?: boolean }>): Generator<string> {
  yield `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">`;
  let id = 0;
  for (const { type, target, isExternal } of list) {
    id += 1;
    yield `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${escape(target)}"${isExternal ? ' TargetMode="External"' : ""}/>`;
  }
  yield "</Relationships>";
}

export function contentTypes(hasDrawing: boolean): string {
  const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const drawing = hasDrawing
    ? `<Default Extension="jpeg" ContentType="image/jpeg"/><Override PartName="/xl/drawings/drawing1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/>`
    : "";
  return `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${drawing}<Override PartName="/xl/workbook.xml" ContentType="${sheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheet}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheet}.styles+xml"/></Types>`;
}

export function sheetStart(widths: readonly number[]): string {
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  return `${DECLARATION}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheetViews><sheetView workbookViewId="0" tabSelected="1"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${columns.join("")}</cols><sheetData>`;
}

export type SheetEnd = { range: string; links: readonly string[]; drawingId: number | null };

/** Yields the XML after the cells. The n-th link uses the sheet's n-th relationship. */
export function* sheetEnd({ range, links, drawingId }: SheetEnd): Generator<string> {
  yield `</sheetData><autoFilter ref="${range}"/>`;
  if (links.length > 0) {
    yield "<hyperlinks>";
    for (const [index, ref] of links.entries()) yield `<hyperlink ref="${ref}" r:id="rId${index + 1}"/>`;
    yield "</hyperlinks>";
  }
  yield `<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors>`;
  if (drawingId !== null) yield `<drawing r:id="rId${drawingId}"/>`;
  yield "</worksheet>";
}

/** The cells and `ROW_END` follow. */
export function rowStart(number: number, heightPoints: number | null): string {
  return heightPoints === null ? `<row r="${number}">` : `<row r="${number}" ht="${heightPoints}" customHeight="1">`;
}

export const ROW_END = "</row>";

export function headerCell(ref: string, text: string): string {
  return textCell(ref, text, STYLE.header);
}

/** Numbers in the uploaded sheet's cells. Numbers as long as a cert number, or with a leading zero, stay text. */
const OWN_NUMBER = /^-?(?:0|[1-9]\d{0,5})(?:\.\d{0,5}[1-9])?$/;

/** Returns a number cell if the column is numeric and the text is a number, or else a text cell. "" for empty text. */
export function sheetCell(ref: string, kind: ColumnKind, text: string): string {
  if (text === "") return "";
  if ((kind === "amount" || kind === "number") && NUMBER.test(text))
    return `<c r="${ref}" s="${STYLE[kind]}"><v>${text}</v></c>`;
  if (kind === "own" && OWN_NUMBER.test(text)) return `<c r="${ref}"><v>${text}</v></c>`;
  return textCell(ref, text, isFormula(text) ? STYLE.quoted : STYLE.text);
}

export function linkCell(ref: string, url: string): string {
  return textCell(ref, url, STYLE.link);
}

function textCell(ref: string, text: string, style: number): string {
  const space = text.trim().length < text.length || text.includes("\n") ? ' xml:space="preserve"' : "";
  return `<c r="${ref}" s="${style}" t="inlineStr"><is><t${space}>${escape(cutCell(text))}</t></is></c>`;
}

function cutCell(text: string): string {
  return text.length <= LONGEST_CELL ? text : text.slice(0, LONGEST_CELL).replace(/[\ud800-\udbff]$/, "");
}

/** Returns the name ("A", "Z", "AA") of a 0-based column. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** An image in the sheet's first column: the 0-based row and the size in pixels. */
export type PlacedImage = { row: number; width: number; height: number };

const EMU_A_PIXEL = 9_525;
const MARGIN_PIXELS = 3;

/** Yields the drawing's XML. The n-th image uses the drawing's n-th relationship. */
export function* drawing(images: Iterable<PlacedImage>): Generator<string> {
  yield `${DECLARATION}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${RELATIONS}">`;
  let id = 0;
  const margin = MARGIN_PIXELS * EMU_A_PIXEL;
  for (const { row, width, height } of images) {
    id += 1;
    const [x, y] = [width * EMU_A_PIXEL, height * EMU_A_PIXEL];
    yield `<xdr:oneCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:colOff>${margin}</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>${margin}</xdr:rowOff></xdr:from><xdr:ext cx="${x}" cy="${y}"/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${id}" name="Image ${id}"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${id}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${x}" cy="${y}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`;
  }
  yield "</xdr:wsDr>";
}

/** Also matches carriage returns. XML allows them, but parsers convert them to line feeds. */
const NOT_IN_XML = /[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A fast check. Most cells don't match. Surrogates are checked because they may be unpaired. */
const ANY_ESCAPED = /[^\t\n\u0020-\ud7ff\ue000-\ufffd]|[&<>"]|_x/i;

/** Escapes text for XML. Writes invalid characters in Excel's form, `_x000D_`, and escapes text in this form. */
function escape(text: string): string {
  if (!ANY_ESCAPED.test(text)) return text;
  return text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
    .replace(NOT_IN_XML, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`)
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
