import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseSheet } from "@slabdesk/contract/sheet/sheet.ts";
import type { Person } from "../../testing/test-server.ts";
import { finish, sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";

let server: ScanTest;
let ana: Person;
beforeAll(async () => {
  server = await startScanTest();
  ana = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});

const download = (id: string, format: string) =>
  server.app.inject({ url: `/api/scan-sessions/${id}/export?format=${format}`, headers: ana.headers });

/** Reads an export as any spreadsheet would; its "Cert Number" column makes it a sheet of ours. */
function readBack(text: string): { header: string[]; cells: string[][] } {
  const reading = parseSheet(text);
  if (!reading.ok) throw new Error(reading.message);
  return { header: reading.sheet.header, cells: reading.sheet.rows.map((row) => row.cells) };
}

describe("exports", () => {
  test("the results file has 31 columns, a byte-order mark, every row in order and its own name", async () => {
    const session = await startScan(
      server,
      ana,
      sheetOf([
        ["01020688", "PSA", "12.50", "=cmd|' /C calc'!A0"],
        ["", "PSA"],
        ["1401019289294", "CGC"],
      ]),
    );
    await finish(server, ana, session);
    const answer = await download(session.id, "csv");
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(answer.headers["content-disposition"]).toMatch(
      /^attachment; filename="card-grading-results-\d{4}-\d\d-\d\d\.csv"/,
    );
    expect(answer.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const { header, cells } = readBack(answer.body);
    expect(header).toHaveLength(31);
    const column = (name: string) => cells.map((row) => row[header.indexOf(name)]);
    expect(column("Cert Number")).toEqual(["01020688", "", "1401019289294"]);
    expect(column("Item Name")).toEqual([
      "1960 TOPPS #72 TIGERS TEAM",
      "Error: N/A",
      "2022 VSTAR Universe #206/172 Turtwig",
    ]);
    expect(column("Sport/Game")).toEqual(["BASEBALL CARDS", "N/A", "Pokémon"]);
    expect(column("Notes")).toEqual(["'=cmd|' /C calc'!A0", "Error: Missing CertNumber or GradingCompany", ""]);
    expect(column("Customer Price")).toEqual(["13.75", "0.00", "0.00"]);
  });

  test("the session file is named after the session and leaves CardsIQ out", async () => {
    const session = await startScan(
      server,
      ana,
      sheetOf([["01020688", "PSA"]], { sessionName: "Ana's box: ポケモン" }),
    );
    await finish(server, ana, session);
    const answer = await download(session.id, "session-csv");
    expect(decodeURIComponent(String(answer.headers["content-disposition"]))).toMatch(
      /filename\*=UTF-8''Ana_s_box_ポケモン-\d{4}-\d\d-\d\d\.csv$/,
    );
    expect(readBack(answer.body).header).toHaveLength(29);
  });

  test("a large session is sent whole", async () => {
    const session = await startScan(server, ana, sheetOf(Array.from({ length: 3_500 }, (_, n) => [`bad ${n}`, "PSA"])));
    const { cells } = readBack((await download(session.id, "csv")).body);
    expect(cells).toHaveLength(3_500);
    expect(cells.at(-1)?.[14]).toBe("bad 3499");
  });

  test("an unknown format is refused in words", async () => {
    const session = await startScan(server, ana, sheetOf([["", ""]]));
    const answer = await download(session.id, "pdf");
    expect([answer.statusCode, answer.json().code]).toEqual([400, "bad_request"]);
  });
});
