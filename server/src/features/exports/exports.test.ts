import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { read, utils } from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import { sql } from "kysely";
import sharp from "sharp";
import { z } from "zod";
import { isOwnPhoto } from "@slabdesk/contract/api/photos.ts";
import { resultRowSchema } from "@slabdesk/contract/api/results.ts";
import { scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { heavyWork } from "../../concurrency/budgets.ts";
import type { Person } from "../../testing/test-server.ts";
import { finish, rowsOf, sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import { readZip } from "./testing/read-zip.ts";

let server: ScanTest;
let ana: Person;
beforeAll(async () => {
  server = await startScanTest({ PUBLIC_URL: "https://cards.example/" });
  ana = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});

/** The response before its body is read. */
async function startReading(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const call = get(`${await server.address()}${path}`, { headers: { ...ana.headers, ...headers } });
  return new Promise((resolve, reject) => call.once("response", resolve).once("error", reject));
}

const exportedSchema = z.object({ session: scanSessionSchema, results: z.array(resultRowSchema) });

const download = (id: string, format: string) =>
  server.app.inject({ url: `/api/scan-sessions/${id}/export?format=${format}`, headers: ana.headers });

/** Reads an export as another program does. */
function readBack(text: string): { header: string[]; cells: string[][] } {
  const [header = [], ...cells] = parse(text, { bom: true });
  return { header, cells };
}

describe("exports", () => {
  test("the results file has 31 columns, a byte-order mark, every row in order, and the right name", async () => {
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

  test("the session file is named after the session and has no CardsIQ columns", async () => {
    const session = await startScan(
      server,
      ana,
      sheetOf([["01020688", "PSA"]], { sessionName: "Ana's box: ポケモン" }),
    );
    await finish(server, ana, session);
    const answer = await download(session.id, "session-csv");
    expect(decodeURIComponent(String(answer.headers["content-disposition"]))).toMatch(
      /filename\*=UTF-8''Ana s box ポケモン - \d{4}-\d\d-\d\d\.csv$/,
    );
    expect(readBack(answer.body).header).toHaveLength(29);
  });

  test("a file's name has the date of the request, if it has one", async () => {
    const session = await startScan(server, ana, sheetOf([["", ""]]));
    const url = `/api/scan-sessions/${session.id}/export`;
    const headers = ana.headers;
    const [row] = await rowsOf(server, ana, session.id);
    const wish = { format: "csv", date: "2025-03-30" };
    const answers = await Promise.all([
      server.app.inject({ url, query: wish, headers }),
      server.app.inject({ method: "POST", url, headers, payload: { ...wish, rowIds: [row?.id] } }),
    ]);
    for (const answer of answers)
      expect(answer.headers["content-disposition"]).toContain('filename="card-grading-results-2025-03-30.csv"');
    const refused = await server.app.inject({ url, query: { ...wish, date: "2025-02-30" }, headers });
    expect(refused.statusCode).toBe(400);
  });

  test("every other format has its name and type, and another program can read it", async () => {
    const sheet = sheetOf([
      ["98174651", "PSA", "12.50"],
      ["98174651", "PSA"],
      ["99999987", "PSA"],
    ]);
    const session = await startScan(server, ana, {
      ...sheet,
      csvFilename: "Dallas.csv",
      sessionName: "Dallas",
      delimiter: ";",
    });
    await finish(server, ana, session);
    const fileOf = async (format: string, name: RegExp, type: string): Promise<Buffer> => {
      const answer = await download(session.id, format);
      expect([answer.statusCode, answer.headers["content-type"], answer.headers["x-content-type-options"]]).toEqual([
        200,
        type,
        "nosniff",
      ]);
      expect(answer.headers["content-disposition"]).toMatch(name);
      return answer.rawPayload;
    };
    const csv = "text/csv; charset=utf-8";
    const shops = ["ebay", "shopify", "whatnot"] as const;
    for (const shop of shops) {
      const text = await fileOf(shop, new RegExp(`"Dallas ${shop} - [-\\d]{10}\\.csv"`, "i"), csv);
      expect(text.toString()).toContain("PSA-98174651");
    }
    const own = await fileOf("original", /"Dallas with results - [-\d]{10}\.csv"/, csv);
    const lines = parse(own, { bom: true, delimiter: ";" });
    expect(lines[0]?.slice(0, 5)).toEqual(["CertNumber", "GradingCompany", "Price", "Notes", "Repaired Cert Number"]);
    expect(lines[1]?.slice(0, 7)).toEqual(["98174651", "PSA", "12.50", "", "", "", "Completed"]);

    const json = exportedSchema.parse(
      JSON.parse((await fileOf("json", /"Dallas - [-\d]{10}\.json"/, "application/json; charset=utf-8")).toString()),
    );
    expect(json.session.id).toBe(session.id);
    expect(json.results).toEqual(await rowsOf(server, ana, session.id));

    const entries = await readZip(await fileOf("images.zip", /"Dallas images - [-\d]{10}\.zip"/, "application/zip"));
    expect([...entries.keys()]).toEqual(["98174651_front.jpg", "98174651_back.jpg", "missing.txt"]);
    expect((await sharp(entries.get("98174651_front.jpg")).metadata()).format).toBe("jpeg");
    expect(entries.get("missing.txt")?.toString()).toContain("99999987_front");

    const workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    const book = await fileOf("xlsx&thumbnails=true", /"Dallas with photos - [-\d]{10}\.xlsx"/, workbook);
    const results = read(book).Sheets["Results"];
    expect(utils.sheet_to_json(results ?? {}, { header: 1 })).toHaveLength(4);
    const parts = await readZip(book);
    expect([...parts.keys()].filter((part) => part.includes("media"))).toHaveLength(2);
    const image = await sharp(parts.get("xl/media/image1.jpeg")).metadata();
    expect([image.format, image.width]).toEqual(["jpeg", 192]);
  });

  test("a workbook is imported again as a workbook", async () => {
    const typed: [string, string, string, string][] = [
      ["bad", "PSA", "12.5", "=1+1"],
      ["01020", "PSA", "1.50", "0012"],
    ];
    const sheet = sheetOf(typed, { csvFilename: "box.xlsx" });
    const session = await startScan(server, ana, sheet);
    const answer = await download(session.id, "original");
    expect(answer.headers["content-disposition"]).toMatch(/"box with results - [-\d]{10}\.xlsx"/);
    const lines = utils.sheet_to_json<string[]>(read(answer.rawPayload).Sheets["Results"] ?? {}, { header: 1 });
    // Numbers can be added up again; text that looks like a number stays text.
    expect(lines[1]?.slice(0, 4)).toEqual(["bad", "PSA", 12.5, "=1+1"]);
    expect(lines[2]?.slice(0, 4)).toEqual(typed[1]);
  });

  test("contain only the chosen rows, in the sheet's order, with own photos' working URLs and the graders' images for shops", async () => {
    const sheet = sheetOf([
      ["98174651", "PSA"],
      ["01020688", "PSA"],
      ["12", "PSA"],
      ["1401019289294", "CGC"],
    ]);
    const session = await startScan(server, ana, { ...sheet, sessionName: "Dallas" });
    const rows = await finish(server, ana, session);
    const shot = await sharp({ create: { width: 37, height: 53, channels: 3, background: "teal" } })
      .jpeg()
      .toBuffer();
    const put = await server.app.inject({
      method: "PUT",
      url: `/api/scan-results/${rows[1]?.id}/image/front`,
      headers: { ...ana.headers, "content-type": "image/jpeg" },
      payload: shot,
    });
    const photo = resultRowSchema.parse(put.json()).imageUrl ?? "";
    expect(isOwnPhoto(photo)).toBe(true);
    const rowIds = [rows[3], rows[1], rows[1]].map((row) => row?.id ?? "");
    const strange = await startScan(server, server.admin, sheetOf([["12", "PSA"]]));
    const [other] = await rowsOf(server, server.admin, strange.id);
    const ask = (format: string, person = ana) =>
      server.app.inject({
        method: "POST",
        url: `/api/scan-sessions/${session.id}/export`,
        headers: person.headers,
        payload: { format, rowIds: [...rowIds, other?.id] },
      });
    const address = `https://cards.example${photo}`;
    for (const format of ["csv", "session-csv", "original"]) {
      const answer = await ask(format);
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
      const { header, cells } = readBack(answer.body);
      const columns = ["Cert Number", "CertNumber", "Front Image URL"].map((name) => header.indexOf(name));
      expect(cells.map((line) => columns.flatMap((at) => line[at] ?? []))).toEqual([
        ["01020688", address],
        ["1401019289294", rows[3]?.imageUrl],
      ]);
    }
    const book = await ask("xlsx");
    expect(book.headers["content-disposition"]).toMatch(/"Dallas - [-\d]{10}\.xlsx"/);
    const lines = utils.sheet_to_json<Record<string, string>>(read(book.rawPayload).Sheets["Results"] ?? {});
    expect(lines.map((line) => line["Front Image URL"])).toEqual([address, rows[3]?.imageUrl]);
    const asked = [
      ["ebay", "PicURL"],
      ["shopify", "Product image URL"],
      ["whatnot", "Image URL 1"],
    ] as const;
    const forShop = async ([format, column]: (typeof asked)[number]): Promise<string[]> => {
      const table: string[][] = parse((await ask(format)).body, { relax_column_count: true });
      const header = table.find((line) => line.includes(column)) ?? [];
      return [format, table[table.indexOf(header) + 1]?.[header.indexOf(column)] ?? ""];
    };
    const [front, back] = [rows[1]?.imageUrl, rows[1]?.imageUrlBack];
    expect(await Promise.all(asked.map(forShop))).toEqual([
      ["ebay", `${front}|${back}`],
      ["shopify", front],
      ["whatnot", front],
    ]);
    await sql`UPDATE photos SET replaced_url = 'N/A'`.execute(server.db);
    expect(await forShop(["ebay", "PicURL"])).toEqual(["ebay", back]);
    expect(exportedSchema.parse((await ask("json")).json()).results).toEqual([
      { ...rows[1], imageUrl: photo },
      rows[3],
    ]);

    const images = await readZip((await ask("images.zip")).rawPayload);
    expect((await sharp(images.get("01020688_front.jpg")).metadata()).width).toBe(37);
    expect((await ask("csv", await server.addPerson())).statusCode).toBe(404);

    const sendForm = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      server.app.inject({
        method: "POST",
        url: `/api/scan-sessions/${session.id}/export`,
        headers: { ...ana.headers, ...headers, "content-type": "application/x-www-form-urlencoded" },
        payload: new URLSearchParams(fields).toString(),
      });
    const form = { format: "xlsx", thumbnails: "true", rowIds: rowIds.join(",") };
    const sent = await sendForm(form);
    expect(sent.headers["content-disposition"]).toMatch(/"Dallas with photos - [-\d]{10}\.xlsx"/);
    expect(sent.headers["content-security-policy"]).toContain("frame-ancestors 'self'");
    const sheetLines = utils.sheet_to_json<Record<string, string>>(read(sent.rawPayload).Sheets["Results"] ?? {});
    expect(sheetLines.map((line) => line["Cert Number"])).toEqual(lines.map((line) => line["Cert Number"]));
    expect([...(await readZip(sent.rawPayload)).keys()].filter((part) => part.includes("media"))).not.toEqual([]);
    expect((await sendForm({ format: "csv", rowIds: "" })).statusCode).toBe(400);
    expect((await sendForm(form, { "sec-fetch-site": "cross-site" })).statusCode).toBe(403);
    const fields = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`field${n}`, ""]));
    expect((await sendForm({ ...form, ...fields })).json()).toMatchObject({ error: "The form has too many fields" });
    // The maximum number of rows, with the longest ids.
    const many = Array.from({ length: 100_000 }, (_, n) => String(900_000_000_000_000 - n)).join(",");
    expect((await sendForm({ format: "csv", rowIds: many })).statusCode).toBe(200);
  });

  test("are refused without reading JSON that is nested too deep", async () => {
    const answer = await server.app.inject({
      method: "POST",
      url: `/api/scan-sessions/${(await startScan(server, ana, sheetOf([["", ""]]))).id}/export`,
      headers: { ...ana.headers, "content-type": "application/json" },
      payload: `{"rowIds":${"[".repeat(500_000)}${"]".repeat(500_000)}}`,
    });
    expect([answer.statusCode, answer.json().error]).toEqual([400, "The JSON is nested too deep"]);
  });

  test("accept JSON with many brackets in strings, and with many closed ones", async () => {
    const { id } = await startScan(server, ana, sheetOf([["", ""]]));
    const texts = Array.from({ length: 10_000 }, () => ({ text: String.raw`\"[[` }));
    const answer = await server.app.inject({
      method: "POST",
      url: `/api/scan-sessions/${id}/export`,
      headers: { ...ana.headers, "content-type": "application/json" },
      payload: JSON.stringify({ rowIds: ["[".repeat(300)], texts }),
    });
    expect([answer.statusCode, answer.json().error]).not.toEqual([400, "The JSON is nested too deep"]);
  });

  test.each([
    ["csv", 4],
    ["session-csv", 4],
    ["xlsx", 4],
    ["json", 12],
    ["original", 24],
  ])("as %s spend the person's budget for reading rows and for every piece, header included", async (format, times) => {
    // Two long cells of the sheet fill a piece. The tables of results don't have them.
    const long = "=".repeat(32_000);
    const rows = Array.from({ length: 24 }, () => ["", "PSA", "", long] as const);
    const sheet = { ...sheetOf(rows), header: ["Cert Number", ...Array.from({ length: 25 }, () => long)] };
    const { id } = await startScan(server, ana, { ...sheet, csvFilename: "long.xlsx" });
    const spend = vi.spyOn(heavyWork, "spend");
    expect((await download(id, format)).statusCode).toBe(200);
    expect(spend.mock.calls.filter(([person]) => person === ana.id).length).toBeGreaterThanOrEqual(times);
    spend.mockRestore();
  });

  test("are not built for a HEAD request", async () => {
    const session = await startScan(server, ana, sheetOf([["", ""]]));
    const url = `/api/scan-sessions/${session.id}/export?format=images.zip`;
    expect((await server.app.inject({ method: "HEAD", url, headers: ana.headers })).statusCode).toBe(404);
  });

  test("an unknown format or listing price is refused with a message", async () => {
    const session = await startScan(server, ana, sheetOf([["", ""]]));
    const answer = await download(session.id, "pdf");
    expect([answer.statusCode, answer.json().code]).toEqual([400, "bad_request"]);
    for (const price of ["listAt=guess", "listAt=median&listPercent=0", "listPercent=ten", "listPercent="]) {
      const { statusCode, body } = await download(session.id, `shopify&${price}`);
      expect([price, statusCode, body]).toEqual([price, 400, expect.stringMatching(/list(?:At|Percent)/)]);
    }
    expect((await download(session.id, "shopify&listAt=median&listPercent=95.5")).statusCode).toBe(200);
  });
});

describe("a session of several pages", () => {
  const ROWS = 2_100;
  let id: string;
  beforeAll(async () => {
    const lines = Array.from({ length: ROWS }, (_, n): [string, string] => [`bad ${n}`, "PSA"]);
    id = (await startScan(server, ana, sheetOf(lines))).id;
  });
  const path = (format: string): string => `/api/scan-sessions/${id}/export?format=${format}`;

  test("is sent completely", async () => {
    const { cells } = readBack((await download(id, "csv")).body);
    expect(cells).toHaveLength(ROWS);
    expect(cells.at(-1)?.[14]).toBe(`bad ${ROWS - 1}`);
  });

  test.each([
    ["original", "identity"],
    ["original", "gzip"],
    ["json", "gzip"],
    ["xlsx", "identity"],
    ["ebay", "identity"],
  ])("is a broken %s download (%s) if a row cannot be read", async (format, encoding) => {
    const row = server.db.updateTable("scan_results").where("session_id", "=", id).where("line", "=", ROWS);
    // An invalid time, so presenting the row fails.
    await row.set({ processed_at: "infinity" }).execute();
    const reading = await startReading(path(format), { "accept-encoding": encoding });
    expect(reading.statusCode).toBe(200);
    await expect(buffer(reading)).rejects.toMatchObject({ code: "ECONNRESET" });
    await row.set({ processed_at: null }).execute();
  });

  /** Makes the session larger than what fits into the buffers between the database and a slow reader. */
  const enlarge = () =>
    server.db
      .updateTable("scan_results")
      .set({ notes: "x".repeat(20_000) })
      .where("session_id", "=", id)
      .execute();

  test("is a broken download if the viewer is signed out midway", async () => {
    await enlarge();
    const { headers } = await server.signIn(ana);
    const reading = await startReading(path("csv"), headers);
    const signedOut = await server.app.inject({ method: "POST", url: "/api/auth/sign-out", headers });
    expect([reading.statusCode, signedOut.statusCode]).toEqual([200, 200]);
    await expect(buffer(reading).then(({ length }) => length)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  test("is a broken download if the database fails midway", async () => {
    await enlarge();
    const reading = await startReading(path("csv"));
    await sql`ALTER TABLE scan_results RENAME TO gone`.execute(server.db);
    try {
      await expect(buffer(reading)).rejects.toMatchObject({ code: "ECONNRESET" });
    } finally {
      await sql`ALTER TABLE gone RENAME TO scan_results`.execute(server.db);
    }
  });
});
