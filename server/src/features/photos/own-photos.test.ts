import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LARGEST_PHOTO_BYTES } from "@slabdesk/contract/api/photos.ts";
import { resultRowSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import type { Person } from "../../testing/test-server.ts";
import { rowsOf, runSheet, sessionOf, sheetOf, startScanTest, type ScanTest } from "../../testing/scan-test.ts";

let server: ScanTest;
let ana: Person;
let ben: Person;
let photo: Buffer;
beforeAll(async () => {
  server = await startScanTest();
  [ana, ben] = [await server.addPerson(), await server.addPerson()];
  photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: "#aa3311" } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();
});
afterAll(async () => {
  await server.closeAll();
});

type Side = "front" | "back";
type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
type Rest = { payload?: Buffer | string | object; headers?: Record<string, string> };
const ask = (method: Method, url: string, { headers, ...rest }: Rest = {}, person = ana) =>
  server.app.inject({ method, url, ...rest, headers: { ...person.headers, ...headers } });
const put = (id: string, side: Side, payload: Buffer | string = photo, type = "image/jpeg", person = ana) =>
  ask("PUT", `/api/scan-results/${id}/image/${side}`, { payload, headers: { "content-type": type } }, person);
const remove = (id: string, side: Side, person = ana) =>
  ask("DELETE", `/api/scan-results/${id}/image/${side}`, {}, person);
const swap = (id: string) => ask("PATCH", `/api/scan-results/${id}/images`, { payload: { swap: true } });

async function found(certNumber: string, options = {}): Promise<ResultRow> {
  const [row] = await runSheet(server, ana, sheetOf([[certNumber, "PSA"]], { mode: "api", ...options }));
  if (row?.outcome !== "found") throw new Error(`PSA ${certNumber} came to ${row?.outcome}`);
  return row;
}
/** Adds a row of the same card on line 7 of its session, and returns it. */
async function addDuplicate({ sessionId, certNumber }: ResultRow): Promise<ResultRow | undefined> {
  const lines = sheetOf([[certNumber, "PSA"]]).rows.map((line) => ({ ...line, line: 7 }));
  const added = await ask("POST", `/api/scan-sessions/${sessionId}/rows`, { payload: { rows: lines } });
  expect(added.statusCode).toBeLessThan(300);
  return (await rowsOf(server, ana, sessionId)).find(({ line }) => line === 7);
}
const sidesOf = ({ imageUrl, imageUrlBack }: Pick<ResultRow, "imageUrl" | "imageUrlBack">) => [imageUrl, imageUrlBack];
const rowNow = async ({ sessionId }: ResultRow): Promise<ResultRow | undefined> =>
  (await rowsOf(server, ana, sessionId))[0];
const countPhotos = async (rowId: string): Promise<number> =>
  (await server.db.selectFrom("photos").select("id").where("result_id", "=", Number(rowId)).execute()).length;

/** The same JPEG with other dimensions in its header: too many pixels are refused before decoding. */
function withSize(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg);
  const frame = changed.indexOf(Buffer.from([0xff, 0xc0]));
  changed.writeUInt16BE(height, frame + 5);
  changed.writeUInt16BE(width, frame + 7);
  return changed;
}

describe("an own photo", () => {
  test("replaces the grader's image, upright and scaled down, and open tables are notified", async () => {
    const row = await found("98174651");
    const before = await sessionOf(server, ana, row.sessionId);
    const answer = await put(row.id, "front");
    expect(answer.statusCode).toBe(200);
    const changed = resultRowSchema.parse(answer.json());
    expect(sidesOf(changed)).toEqual([expect.stringMatching(/^\/api\/photos\/[\da-f-]{36}$/), row.imageUrlBack]);
    expect(await rowNow(row)).toEqual(changed);
    expect((await sessionOf(server, ana, row.sessionId)).eventSeq).toBeGreaterThan(before.eventSeq);
    const news = await ask("GET", `/api/scan-sessions/${row.sessionId}/results?since=${before.eventSeq}`);
    expect(news.json().results).toEqual([changed]);

    const full = await ask("GET", `/api/scan-results/${row.id}/image/front`);
    expect(await sharp(full.rawPayload).metadata()).toMatchObject({ format: "jpeg", width: 600, height: 900 });
    const small = await ask("GET", `/api/scan-results/${row.id}/image/front?width=96`);
    expect(await sharp(small.rawPayload).metadata()).toMatchObject({ format: "webp", width: 96, height: 144 });
    const alone = await ask("GET", changed.imageUrl ?? "");
    expect([alone.statusCode, alone.headers["content-type"]]).toEqual([200, "image/jpeg"]);
    expect(alone.headers["content-security-policy"]).toContain("sandbox");
    expect(alone.rawPayload.equals(full.rawPayload)).toBe(true);
    const again = await ask("GET", changed.imageUrl ?? "", {
      headers: { "if-none-match": String(alone.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });

  test("leaves no file when its session is deleted", async () => {
    const [doomed, other] = [await found("75738341"), await found("75738342")];
    const { imageUrl } = (await put(doomed.id, "front")).json<ResultRow>();
    const small = (id: string, person = ana) => ask("GET", `/api/scan-results/${id}/image/front?width=96`, {}, person);
    // As if another row showed it, too: it is served as long as it is stored.
    await server.db
      .updateTable("scan_results")
      .set({ front_image_url: imageUrl })
      .where("id", "=", Number(other.id))
      .execute();
    expect([(await small(doomed.id)).statusCode, (await small(other.id)).statusCode]).toEqual([200, 200]);
    await ask("DELETE", `/api/scan-sessions/${doomed.sessionId}`, {}, server.admin);
    expect((await small(other.id)).statusCode).toBe(502);
  });

  test("can be replaced and removed, which restores the grader's image", async () => {
    const row = await found("75738340");
    const first = (await put(row.id, "back")).json<ResultRow>();
    const png = await sharp({ create: { width: 30, height: 40, channels: 3, background: "#112233" } })
      .png()
      .toBuffer();
    const second = (await put(row.id, "back", png, "image/png")).json<ResultRow>();
    expect(second.imageUrlBack).not.toBe(first.imageUrlBack);
    expect(await countPhotos(row.id)).toBe(1);
    expect((await ask("GET", first.imageUrlBack ?? "")).statusCode).toBe(404);
    const shown = await ask("GET", `/api/scan-results/${row.id}/image/back?width=96`);
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ width: 30, height: 40 });
    const back = await remove(row.id, "back");
    expect([back.statusCode, sidesOf(back.json())]).toEqual([200, sidesOf(row)]);
    expect(await countPhotos(row.id)).toBe(0);
    const none = await remove(row.id, "back");
    expect([none.statusCode, none.json().code]).toEqual([404, "no_such_thing"]);
  });

  test("moves to the other side in a swap, and can be removed there", async () => {
    const row = await found("86344925");
    const own = (await put(row.id, "front")).json<ResultRow>().imageUrl;
    const swapped = await swap(row.id);
    expect([swapped.statusCode, sidesOf(swapped.json())]).toEqual([200, [row.imageUrlBack, own]]);
    expect((await remove(row.id, "front")).statusCode).toBe(404);
    expect(sidesOf((await remove(row.id, "back")).json())).toEqual([row.imageUrlBack, row.imageUrl]);
  });

  test("serves a found card without images, and both sides may have one", async () => {
    const row = await found("65424083");
    expect(row.imageFlags).toEqual(["no_image"]);
    expect((await put(row.id, "front")).json()).toMatchObject({ imageUrlBack: "N/A", imageFlags: ["one_side"] });
    expect((await put(row.id, "back")).json()).toMatchObject({ imageFlags: [] });
    expect((await swap(row.id)).statusCode).toBe(200);
    await remove(row.id, "front");
    expect((await remove(row.id, "back")).json()).toMatchObject({
      imageUrl: "N/A",
      imageUrlBack: "N/A",
      imageFlags: ["no_image"],
    });
  });

  test("hides the duplicate flag of the grader's images until it is removed", async () => {
    const row = await found("99999950");
    await server.db
      .updateTable("cached_certs")
      .set({ same_sides: true })
      .where("cert_number", "=", "99999950")
      .execute();
    await server.db.updateTable("scan_results").set({ same_sides: true }).where("id", "=", Number(row.id)).execute();
    const mark = { rowIds: [row.id], isReviewed: true };
    await ask("POST", `/api/scan-sessions/${row.sessionId}/reviewed`, { payload: mark });
    const reviewedAt = expect.stringMatching(/^20/);
    expect((await put(row.id, "back")).json()).toMatchObject({ imageFlags: [], reviewedAt });
    // Another row of the card shows the grader's two.
    expect(await addDuplicate(row)).toMatchObject({ imageUrlBack: row.imageUrlBack, imageFlags: ["same_sides"] });
    await swap(row.id);
    const bare = { imageFlags: ["same_sides"], reviewedAt: null };
    expect((await remove(row.id, "front")).json()).toMatchObject(bare);
  });

  test("belongs to one row: another row of the same certificate has the grader's image", async () => {
    const row = await found("98174651", { reuseKnown: false });
    await put(row.id, "front");
    expect(await addDuplicate(row)).toMatchObject({ outcome: "found", imageUrl: row.imageUrl });
    // As if the grader had had no image.
    await server.db.updateTable("photos").set({ replaced_url: null }).where("result_id", "=", Number(row.id)).execute();
    await server.db.deleteFrom("scan_results").where("session_id", "=", row.sessionId).where("line", "=", 7).execute();
    expect(await addDuplicate(row)).toMatchObject({ outcome: "found", imageUrl: "N/A", imageFlags: ["one_side"] });
  });

  test("is in the activity log, with its changes", async () => {
    const row = await found("98174651");
    await put(row.id, "front");
    await remove(row.id, "front");
    await server.activityWritten();
    const logged = await server.db
      .selectFrom("user_activity_logs")
      .selectAll()
      .where("activity_type", "=", "image_swap")
      .orderBy("id")
      .execute();
    expect(logged.slice(-2)).toMatchObject([
      {
        user_id: ana.id,
        description: "Added a photo to the front of PSA 98174651",
        metadata: { resultId: row.id, side: "front" },
      },
      { user_id: ana.id, description: "Removed the photo from the front of PSA 98174651" },
    ]);
  });

  test("is visible to the row's owner and admins only, and is deleted with its session", async () => {
    const row = await found("98174651");
    const { imageUrl } = (await put(row.id, "front")).json<ResultRow>();
    for (const [person, status] of [
      [ben, 404],
      [server.admin, 200],
    ] as const) {
      expect((await ask("GET", imageUrl ?? "", {}, person)).statusCode).toBe(status);
      expect((await put(row.id, "back", photo, "image/jpeg", person)).statusCode).toBe(status);
      expect((await remove(row.id, "back", person)).statusCode).toBe(status);
    }
    for (const id of ["1", "00000000-0000-0000-0000-000000000000"])
      expect((await ask("GET", `/api/photos/${id}`)).statusCode).toBe(404);
    await server.db.deleteFrom("scan_sessions").where("id", "=", row.sessionId).execute();
    expect((await ask("GET", imageUrl ?? "")).statusCode).toBe(404);
    expect(await countPhotos(row.id)).toBe(0);
  });
});

describe("refused with a message:", () => {
  test.each<[what: string, photo: () => Promise<Buffer> | Buffer, type: string, status: number, message: RegExp]>([
    [
      "more than 20 MB",
      () => Buffer.alloc(LARGEST_PHOTO_BYTES + 1),
      "image/jpeg",
      413,
      /larger than 20 MB\. Please choose a smaller/,
    ],
    ["another kind of content", () => Buffer.from("%PDF-1.7"), "application/pdf", 415, /JPEG, PNG, WebP or AVIF/],
    ["JSON", () => Buffer.from("{}"), "application/json", 415, /JPEG, PNG, WebP or AVIF/],
    [
      "a page that is called a photo",
      () => Buffer.from("<!DOCTYPE html>"),
      "image/jpeg",
      400,
      /JPEG, PNG, WebP or AVIF/,
    ],
    [
      "a drawing that is called a photo",
      () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      "image/png",
      400,
      /JPEG, PNG/,
    ],
    ["nothing", () => Buffer.alloc(0), "image/jpeg", 400, /JPEG, PNG/],
    ["half a photo", () => photo.subarray(0, photo.length / 2), "image/jpeg", 400, /damaged or incomplete/],
    [
      "a photo of too many pixels",
      () => withSize(photo, 10_000, 6_100),
      "image/jpeg",
      413,
      /more than 60 million pixels/,
    ],
  ])("%s", async (_what, body, type, status, message) => {
    const row = await found("98174651");
    const answer = await put(row.id, "front", await body(), type);
    expect([answer.statusCode, answer.json().error]).toEqual([status, expect.stringMatching(message)]);
    expect(sidesOf((await rowNow(row)) ?? row)).toEqual(sidesOf(row));
  });

  test("a photo of a card that was not found, or of no row", async () => {
    const [row] = await runSheet(server, ana, sheetOf([["99999990", "PSA"]], { mode: "api" }));
    const answer = await put(row?.id ?? "", "front");
    expect([answer.statusCode, answer.json().code]).toEqual([409, "conflict"]);
    expect(answer.json().error).toContain("Only found cards can have photos");
    expect((await put("999999999", "front")).statusCode).toBe(404);
    expect(
      (
        await ask("PUT", "/api/scan-results/1/image/left", {
          payload: photo,
          headers: { "content-type": "image/jpeg" },
        })
      ).statusCode,
    ).toBe(400);
  });
});
