import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Person } from "../../testing/test-server.ts";
import { runSheet, sheetOf, startScanTest, type ScanTest } from "../../testing/scan-test.ts";

let server: ScanTest;
let ana: Person;
beforeAll(async () => {
  server = await startScanTest();
  ana = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(() => {
  server.simulator.calls.clear();
});

const picture = (id: string | undefined, rest: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url: `/api/scan-results/${id}/image/${rest}`, headers: { ...ana.headers, ...headers } });

describe("a row's pictures", () => {
  test("come as thumbnails of about the width asked for, fetched from the grader once", async () => {
    const [row] = await runSheet(server, ana, sheetOf([["98174651", "PSA"]]));
    server.simulator.calls.clear();
    const [first, second] = await Promise.all([picture(row?.id, "front?width=68"), picture(row?.id, "front?width=90")]);
    expect([first.statusCode, first.headers["content-type"]]).toEqual([200, "image/webp"]);
    expect(await sharp(first.rawPayload).metadata()).toMatchObject({ format: "webp", width: 96 });
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true);
    expect(server.simulator.calls.total("psa-images")).toBe(1);

    const again = await picture(row?.id, "front?width=68", { "if-none-match": String(first.headers.etag) });
    expect(again.statusCode).toBe(304);
    expect(server.simulator.calls.total("psa-images")).toBe(1);
  });

  test("come in full size as the grader gives them, front and back apart", async () => {
    const [row] = await runSheet(server, ana, sheetOf([["98174651", "PSA"]]));
    const [front, back] = await Promise.all([picture(row?.id, "front"), picture(row?.id, "back")]);
    expect(front.headers["content-type"]).toBe("image/jpeg");
    expect((await sharp(front.rawPayload).metadata()).width).toBeGreaterThan(400);
    expect(back.rawPayload.equals(front.rawPayload)).toBe(false);
  });

  test("of PSA's page are shown in full size, though the page prints small ones", async () => {
    const [row] = await runSheet(server, ana, sheetOf([["75738340", "PSA"]], { mode: "scraping" }));
    expect(row?.imageUrl).toContain("/small/");
    const full = await picture(row?.id, "front");
    expect((await sharp(full.rawPayload).metadata()).width).toBeGreaterThan(400);
  });

  test("that do not exist are not there", async () => {
    const [row] = await runSheet(server, ana, sheetOf([["65424083", "PSA"]]));
    expect(row).toMatchObject({ imageUrl: "N/A", imageUrlBack: "N/A" });
    expect((await picture(row?.id, "front")).statusCode).toBe(404);
    expect((await picture("999999999", "front")).statusCode).toBe(404);
    expect((await picture(row?.id, "left")).statusCode).toBe(400);
  });

  test("are never fetched from a host that is not listed", async () => {
    const [row] = await runSheet(server, ana, sheetOf([["98174651", "PSA"]]));
    await server.db
      .updateTable("scan_results")
      .set({ front_image_url: "http://127.0.0.1:1/secret" })
      .where("id", "=", Number(row?.id))
      .execute();
    const answer = await picture(row?.id, "front?width=68");
    expect([answer.statusCode, answer.json().code]).toEqual([502, "unavailable"]);
    expect(answer.json().error).toContain("Pictures are not fetched from 127.0.0.1:1");
  });
});
