import { utils, write, type WorkSheet } from "@e965/xlsx";
import { expect, test } from "vitest";
import { NOTHING_REMEMBERED, type RememberedSheets } from "./remembered-sheets.ts";
import type { SheetSource } from "./sheet-parts.ts";
import { type SheetAnswer, type SheetQuestion, SheetWork } from "./sheet-work.ts";

const OPTIONS = { mode: "api", reuseKnown: true, includePricing: false } as const;
const SESSION = { ...OPTIONS, sessionName: "Box", csvFilename: "a.csv" };

const csv = (name: string, ...lines: string[]): SheetSource => ({
  kind: "file",
  file: new File([lines.join("\n")], name, { type: "text/csv" }),
});

function workbook(name: string, sheets: Record<string, string[][]>): SheetSource {
  const book = utils.book_new();
  for (const [sheet, lines] of Object.entries(sheets))
    utils.book_append_sheet(book, utils.aoa_to_sheet(lines) satisfies WorkSheet, sheet);
  const bytes: unknown = write(book, { type: "array", bookType: "xlsx" });
  if (!(bytes instanceof ArrayBuffer)) throw new Error("The library wrote something else");
  return { kind: "file", file: new File([bytes], name) };
}

async function read(sources: SheetSource[], remembered: RememberedSheets = NOTHING_REMEMBERED) {
  const work = new SheetWork();
  return { work, answer: await work.read(sources, remembered) };
}

const summaryIn = (answer: SheetAnswer) => (answer.kind === "ready" ? answer.summary : null);
const linesIn = (answer: SheetAnswer) => (answer.kind === "ready" ? answer.lines : []);
const messageIn = (answer: SheetAnswer) => (answer.kind === "refused" ? answer.message : null);
function questionIn<Kind extends SheetQuestion["kind"]>(answer: SheetAnswer, kind: Kind) {
  if (answer.kind !== "question" || answer.question.kind !== kind) throw new Error(`It does not ask for ${kind}`);
  return answer.question as Extract<SheetQuestion, { kind: Kind }>;
}

async function rowsSent(work: SheetWork): Promise<Record<string, unknown>[]> {
  const { rows } = JSON.parse(await work.sessionBody(SESSION).text()) as { rows: Record<string, unknown>[] };
  return rows;
}

test("a plain file is ready, and the requests contain all of it", async () => {
  const { work, answer } = await read([csv("a.csv", "CertNumber;GradingCompany;Grade", "98174651;PSA;10", "12;PSA;9")]);
  expect(summaryIn(answer)).toMatchObject({ rowCount: 2, ready: 1, toFix: 1 });
  expect(JSON.parse(await work.sessionBody(SESSION).text())).toEqual({
    ...SESSION,
    header: ["CertNumber", "GradingCompany", "Grade"],
    delimiter: ";",
    rows: [
      {
        line: 2,
        cells: ["98174651", "PSA", "10"],
        certNumber: "98174651",
        gradingCompany: "PSA",
        price: "",
        notes: "",
        sheetCard: { grade: "10" },
      },
      {
        line: 3,
        cells: ["12", "PSA", "9"],
        certNumber: "12",
        gradingCompany: "PSA",
        price: "",
        notes: "",
        sheetCard: { grade: "9" },
      },
    ],
  });
  const plan = work.planBody(OPTIONS);
  expect(plan.type).toBe("application/json");
  expect(JSON.parse(await plan.text())).toEqual({
    ...OPTIONS,
    rows: [
      { line: 2, certNumber: "98174651", gradingCompany: "PSA" },
      { line: 3, certNumber: "12", gradingCompany: "PSA" },
    ],
  });
});

test("several files of different kinds become one sheet that names each row's source", async () => {
  const { work, answer } = await read([
    csv("a.csv", "CertNumber,GradingCompany", "98174651,PSA", "12,PSA"),
    workbook("b.xlsx", {
      One: [
        ["Cert #", "Grader"],
        ["1401019289294", "CGC"],
      ],
    }),
  ]);
  expect(summaryIn(answer)).toMatchObject({ rowCount: 3, ready: 2 });
  expect(linesIn(answer)[1]).toMatchObject({ where: "a.csv, line 3", certNumber: "12", state: "fix" });
  expect(linesIn(work.editCell(3, "certNumber", "98174652"))[1]).toMatchObject({ state: "ready" });
  expect(linesIn(work.editCell(4, "notes", "gift"))[2]).toMatchObject({ notes: "gift", state: "ready" });
  const rows = await rowsSent(work);
  expect(rows.map(({ certNumber }) => certNumber)).toEqual(["98174651", "98174652", "1401019289294"]);
  expect(rows.map(({ cells }) => Array.isArray(cells) && cells.slice(0, 2))).toEqual([
    ["a.csv", "2"],
    ["a.csv", "3"],
    ["b.xlsx", "2"],
  ]);
});

test("an unreadable file among several is named", async () => {
  const good = csv("good.csv", "CertNumber", "98174651");
  expect(messageIn((await read([good, csv("bad.csv", "CertNumber,A", '98174651,"x')])).answer)).toMatch(
    /^“bad\.csv”: Error parsing CSV file\. .*line 2/,
  );
  expect(messageIn((await read([good, csv("empty.csv", "")])).answer)).toBe(
    "“empty.csv”: The file is empty. Fill in the template and upload it.",
  );
  expect(messageIn((await read([csv("empty.csv", "")])).answer)).toBe(
    "The file is empty. Fill in the template and upload it.",
  );
});

test("the only sheet of a workbook with certificates is used", async () => {
  const { answer } = await read([
    workbook("b.xlsx", {
      "Read me": [["Fill in the other sheet"]],
      Cards: [
        ["CertNumber", "GradingCompany"],
        ["98174651", "PSA"],
      ],
    }),
  ]);
  expect(summaryIn(answer)).toMatchObject({ ready: 1 });
  expect(answer.kind === "ready" && answer.columns.map(({ name }) => name)).toEqual(["b.xlsx"]);
});

test("asks which of two sheets with certificates to use, or both, and remembers the answer", async () => {
  const book = workbook("b.xlsx", {
    "Box 1": [["CertNumber"], ["98174651"]],
    "Box 2": [["CertNumber"], ["C1240631"], ["C1240632"]],
    Other: [["x"]],
  });
  const { work, answer } = await read([book]);
  const question = questionIn(answer, "sheets");
  expect(question.sheets).toEqual([
    { name: "Box 1", certCount: 1 },
    { name: "Box 2", certCount: 2 },
    { name: "Other", certCount: 0 },
  ]);
  expect(summaryIn(work.useSheets(question.source, ["Box 1", "Box 2"]))).toMatchObject({ rowCount: 3 });
  expect((await rowsSent(work)).map(({ cells }) => cells)).toEqual([
    ["b.xlsx › Box 1", "2", "98174651"],
    ["b.xlsx › Box 2", "2", "C1240631"],
    ["b.xlsx › Box 2", "3", "C1240632"],
  ]);
  const remembered = await read([book], { columns: {}, sheets: { "b.xlsx|Box 1|Box 2|Other": ["Box 2"] } });
  expect(summaryIn(remembered.answer)).toMatchObject({ rowCount: 2 });
});

const UNCLEAR = csv("odd.csv", "Alpha,Beta,Gamma", "98174651,11223344,5", "98174652,11223345,6");

test("asks for columns that neither names nor contents identify, with a preview of each choice", async () => {
  const { work, answer } = await read([UNCLEAR]);
  const { columns } = questionIn(answer, "columns");
  expect(columns).toMatchObject({ part: 0, name: "odd.csv", headerLine: 0, header: ["Alpha", "Beta", "Gamma"] });
  expect(columns.preview).toEqual([
    ["98174651", "11223344", "5"],
    ["98174652", "11223345", "6"],
  ]);
  const mapping = { headerLine: 0, columns: { certNumber: 1, price: 2 }, company: "PSA" };
  expect(work.checkColumns(0, mapping)).toEqual({ rowCount: 2, readable: 2 });
  expect(work.checkColumns(0, { ...mapping, columns: { certNumber: 2 } })).toEqual({ rowCount: 2, readable: 0 });
  expect(summaryIn(work.useColumns(0, mapping))).toMatchObject({ ready: 2, byCompany: { PSA: 2 } });
  expect(await rowsSent(work)).toMatchObject([
    { certNumber: "11223344", gradingCompany: "PSA", price: "5" },
    { certNumber: "11223345", gradingCompany: "PSA", price: "6" },
  ]);
});

test("uses a header's remembered columns the next time, and says so", async () => {
  const remembered: RememberedSheets = {
    columns: { "alpha|beta|gamma": { columns: { certNumber: 0 }, company: "PSA" } },
    sheets: {},
  };
  const { answer } = await read([UNCLEAR], remembered);
  expect(summaryIn(answer)).toMatchObject({ ready: 2 });
  expect(answer.kind === "ready" && answer.columns).toMatchObject([
    { isRemembered: true, columns: { certNumber: 0 }, company: "PSA" },
  ]);
});

test("does not ask about a file without a single number", async () => {
  expect(messageIn((await read([csv("x.csv", "one,two", "1,2")])).answer)).toContain(
    "Error parsing CSV file. Please check the format.",
  );
});

const statesIn = (answer: SheetAnswer) => linesIn(answer).map(({ gradingCompany, state }) => [gradingCompany, state]);

test("bare numbers are taken for the company that they name, and one call changes all of them or one", async () => {
  const { work, answer } = await read([{ kind: "text", text: "98174651, C1240631 hello\nCGC 1401019289294" }]);
  expect(answer).toMatchObject({ guess: "numbers", summary: { rowCount: 4, ready: 3, guessed: 3, toFix: 1 } });
  expect(statesIn(answer)).toEqual([
    ["PSA", "guessed"],
    ["TAG", "guessed"],
    ["", "fix"],
    ["CGC", "guessed"],
  ]);
  expect(statesIn(work.guessCompanies("none")).slice(0, 2)).toEqual([
    ["", "fix"],
    ["", "fix"],
  ]);
  expect(statesIn(work.guessCompanies("TAG")).slice(0, 2)).toEqual([
    ["TAG", "fix"],
    ["TAG", "guessed"],
  ]);
  expect(statesIn(work.editCell(2, "gradingCompany", "PSA"))[0]).toEqual(["PSA", "guessed"]);
  expect(await rowsSent(work)).toMatchObject([
    { cells: ["98174651", ""], gradingCompany: "PSA", sheetCard: { company: "" } },
    { gradingCompany: "TAG", sheetCard: { company: "" } },
    { gradingCompany: "", certNumber: "hello" },
    { gradingCompany: "TAG", cells: ["CGC 1401019289294", ""] },
  ]);
  const wait = { company: "PSA", outcome: "quota_exhausted", rows: 1, until: "", message: "used up" } as const;
  expect(work.waitingLines([{ ...wait, lines: [[2, 2]] }])).toEqual([
    { count: 1, notes: [{ line: 2, where: "line 2", typed: "98174651", message: "used up" }] },
  ]);
});

test("an empty company among others is to fix, and a suggestion is used only on request", async () => {
  const { work, answer } = await read([csv("a.csv", "Cert #,Grader", "98174651,PSA", "98174652,", "98174653,CGC")]);
  expect(answer).toMatchObject({ guess: null, summary: { ready: 1, suggested: 2, toFix: 2 } });
  expect(statesIn(work.acceptSuggestions())).toEqual([
    ["PSA", "ready"],
    ["PSA", "guessed"],
    ["PSA", "guessed"],
  ]);
});

test("a cell is edited in place, and a cost without a column gets one", async () => {
  const { work } = await read([csv("a.csv", "Cert #,Grader", "1.45531E+08,PSA", "98174652,PSA")]);
  expect(summaryIn(work.editCell(2, "certNumber", "145531000"))).toMatchObject({ ready: 2 });
  expect(linesIn(work.editCell(3, "price", "12.50"))[1]).toMatchObject({ price: "12.50", state: "ready" });
  const body = JSON.parse(await work.sessionBody(SESSION).text()) as Record<string, unknown>;
  expect(body).toMatchObject({
    header: ["Cert #", "Grader", "Price"],
    rows: [
      { cells: ["145531000", "PSA"], price: "" },
      { cells: ["98174652", "PSA", "12.50"], price: "12.50" },
    ],
  });
});

test("more rows than the limit are refused with their number", async () => {
  const many = (name: string) =>
    csv(name, "CertNumber", ...Array.from({ length: 50_001 }, (_, index) => String(30_000_000 + index)));
  expect(messageIn((await read([many("a.csv"), many("b.csv")])).answer)).toBe(
    "The files have 100002 rows together. A session holds at most 100000. Upload them one at a time.",
  );
});

test("text is read by the server's rules: a quotation mark that swallows rows is refused with its line", async () => {
  const lines = [
    "CertNumber,GradingCompany,Price,Notes",
    '98174651,PSA,1,"a box',
    "98174652,PSA,2,b",
    '98174653,PSA,3,c"',
  ];
  expect(messageIn((await read([csv("a.csv", ...lines)])).answer)).toContain("opens a cell in line 2 is not closed");
});

test("a file with a workbook's name and other content is reported", async () => {
  const text = { kind: "file", file: new File(["not a workbook"], "box.xlsx") } as const;
  expect(messageIn((await read([text])).answer)).toMatch(/^“box\.xlsx” isn't a workbook\. Open it/);
});
