import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { sql } from "kysely";
import { imageLoads, noteRequest, slowImages } from "../../concurrency/budgets.ts";
import { SOON_IMAGES, type Person } from "../../testing/test-server.ts";
import {
  finish,
  followUntil,
  rowsOf,
  runSheet,
  sheetOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";

let server: ScanTest;
let ana: Person;
let box: ScanSession;
let rows: Map<string, ResultRow>;
beforeAll(async () => {
  server = await startScanTest({ IMAGE_CACHE_MB: "20" }, { hasPlainImages: false }, SOON_IMAGES);
  ana = await server.addPerson();
  // In parallel, because images are compared at two cards per second.
  const sheet = sheetOf(
    [
      ["98174651", "PSA"],
      ["99999950", "PSA"],
      ["99999950", "PSA"],
      ["65424083", "PSA"],
      ["99999975", "PSA"],
      ["99999987", "PSA"],
      ["9999999950", "CGC"],
      ["X9999951", "TAG"],
    ],
    { mode: "api" },
  );
  box = await startScan(server, ana, sheet);
  rows = new Map((await finish(server, ana, box)).map((row) => [row.certNumber, row]));
});
afterAll(async () => {
  await server.closeAll();
});
afterEach(() => {
  server.simulator.behavior.heal();
});

/** The row of a card that all tests may use. */
function rowOf(certNumber: string): ResultRow {
  const row = rows.get(certNumber);
  if (row?.outcome !== "found") throw new Error(`${certNumber} came to ${row?.outcome}: ${row?.error}`);
  return row;
}
const now = async (certNumber: string): Promise<ResultRow | undefined> =>
  (await rowsOf(server, ana, box.id)).find((row) => row.certNumber === certNumber);

const getImage = (id: string | undefined, rest: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url: `/api/scan-results/${id}/image/${rest}`, headers: { ...ana.headers, ...headers } });

async function found(certNumber: string, company = "PSA", options = {}): Promise<ResultRow> {
  const [row] = await runSheet(server, ana, sheetOf([[certNumber, company]], { mode: "api", ...options }));
  if (row?.outcome !== "found") throw new Error(`${company} ${certNumber} came to ${row?.outcome}: ${row?.error}`);
  return row;
}

async function showFront({ id }: ResultRow, url: string): Promise<void> {
  await server.db.updateTable("scan_results").set({ front_image_url: url }).where("id", "=", Number(id)).execute();
}

/** Calls for the image behind a URL, in any size. */
const fetches = (url: string | null): number =>
  server.simulator.calls.count({ path: new URL(url ?? "").pathname.replace("/small/", "/") });

/** The state of a card's comparison in its queue; "none" without a job. */
async function labelOf(certNumber: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    SELECT state FROM jobs.job WHERE name = 'compare-images' AND data->>'certNumber' = ${certNumber}`.execute(
    server.db,
  );
  return rows.map(({ state }) => state).join(" ") || "none";
}
const reviewedAt = (certNumber: string): Promise<void> =>
  vi.waitFor(async () => expect(await labelOf(certNumber)).toMatch(/^(?:completed ?)+$/), { timeout: 20_000 });

/** Resolves when a transaction waits for another one. */
const waitsForTransaction = (): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted
        AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`.execute(server.db);
      expect(rows).not.toEqual([]);
    },
    { timeout: 20_000 },
  );

describe("a row's images", () => {
  test("are thumbnails of about the requested width, from one fetch for all widths and the full size", async () => {
    const row = rowOf("98174651");
    const widths = ["front?width=68", "front?width=90", "front?width=300", "front"];
    const [first, second, wider, full] = await Promise.all(widths.map((rest) => getImage(row.id, rest)));
    expect([first?.statusCode, first?.headers["content-type"]]).toEqual([200, "image/webp"]);
    expect(await sharp(first?.rawPayload).metadata()).toMatchObject({ format: "webp", width: 96 });
    expect(second?.rawPayload.equals(first?.rawPayload ?? Buffer.alloc(0))).toBe(true);
    expect(await sharp(wider?.rawPayload).metadata()).toMatchObject({ width: 384 });
    expect(await sharp(full?.rawPayload).metadata()).toMatchObject({ format: "jpeg", width: 600 });
    expect(fetches(row.imageUrl)).toBe(1);
  });

  test("cost the viewer's budget a millisecond, and one more for each 200 kB", async () => {
    const spend = vi.spyOn(imageLoads, "spend");
    const { rawPayload } = await getImage(rowOf("98174651").id, "front");
    expect(rawPayload.length).toBeGreaterThan(10_000);
    // Images fetched for comparisons are charged to the background.
    expect(spend.mock.calls.filter(([person]) => person === ana.id)).toEqual([
      [ana.id, 1],
      [ana.id, rawPayload.length / 200_000],
    ]);
  });

  test("are not sent again while the bytes are the same", async () => {
    const row = rowOf("98174651");
    for (const rest of ["front?width=68", "back?width=68", "front"]) {
      const { etag } = (await getImage(row.id, rest)).headers;
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      for (const mark of [String(etag), `"other", W/${etag}`]) {
        const again = await getImage(row.id, rest, { "if-none-match": mark });
        expect([again.statusCode, again.headers.etag, again.rawPayload.length]).toEqual([304, etag, 0]);
      }
      expect((await getImage(row.id, rest, { "if-none-match": '"other"' })).statusCode).toBe(200);
    }
  });

  test("never run as a page", async () => {
    const row = rowOf("98174651");
    const { headers } = await getImage(row.id, "back");
    expect(headers).toMatchObject({
      "content-type": "image/jpeg",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "content-disposition": `inline; filename="${row.id}-back.jpg"`,
      "cache-control": "private, max-age=600",
      // After a sign-out, the browser asks again.
      vary: expect.stringContaining("cookie") as unknown,
    });
  });

  test("on PSA's page are shown in full size, although the page has small ones", async () => {
    const row = await found("75738340", "PSA", { mode: "scraping" });
    expect(row.imageUrl).toContain("/small/");
    const full = await getImage(row.id, "front");
    expect((await sharp(full.rawPayload).metadata()).width).toBe(600);
    expect(fetches(row.imageUrl)).toBe(1);
  });

  test("are 404 if they do not exist", async () => {
    const row = rowOf("65424083");
    expect(row).toMatchObject({ imageUrl: "N/A", imageUrlBack: "N/A", imageFlags: ["no_image"] });
    expect((await getImage(row.id, "front")).statusCode).toBe(404);
    expect((await getImage("999999999", "front")).statusCode).toBe(404);
    expect((await getImage(row.id, "left")).statusCode).toBe(400);
  });

  test("are never fetched from an unlisted host", async () => {
    const row = await found("98174651");
    await showFront(row, "http://127.0.0.1:1/secret");
    const answer = await getImage(row.id, "front?width=68");
    expect([answer.statusCode, answer.json().code]).toEqual([502, "unavailable"]);
    expect(answer.json().error).toContain("Images are not fetched from 127.0.0.1:1");
  });

  test.each([
    ["52", "a web page labeled as an image", "something other than an image"],
    ["53", "a drawing with a script in it", "something other than an image"],
    ["99", "half an image", "It is incomplete or damaged"],
  ])("magic cert %s, %s: a message and no bytes", async (code, _what, message) => {
    const row = await found("98174651");
    const url = `${server.simulator.settings.TAG_IMAGE_URL}/slab-images/X99999${code}_Slabbed_FRONT.jpg`;
    await showFront(row, url);
    const answer = await getImage(row.id, "front?width=192");
    expect([answer.statusCode, answer.json().code, answer.headers["content-type"]]).toEqual([
      502,
      "unavailable",
      "application/json; charset=utf-8",
    ]);
    expect(answer.json().error).toContain(message);
    expect(answer.json().error).toMatch(/try again|your own photo/);
    const fetched = fetches(url);
    const full = await getImage(row.id, "front");
    expect([full.statusCode, full.json().error]).toEqual([502, answer.json().error]);
    // Only broken images are remembered. Recognizing a file that isn't an image costs little.
    if (message === "It is incomplete or damaged") expect(fetches(url)).toBe(fetched);
  });
});

test("images of one person's cards that hang don't delay the comparison of other people's", async () => {
  // Comparisons of Ana's cards from other tests may still be queued.
  const [carla, ben] = [await server.addPerson(), await server.addPerson()];
  server.simulator.behavior.hold("tag-images");
  const hanging = ["X7300001", "X7300002", "X7300003"];
  const lines = hanging.map((number): [string, string] => [number, "TAG"]);
  await runSheet(server, carla, sheetOf(lines, { mode: "api" }));
  await expect.poll(() => Promise.all(hanging.map(labelOf))).toContain("active");
  await runSheet(server, ben, sheetOf([["7300000001", "CGC"]], { mode: "api" }));
  await reviewedAt("7300000001");
  expect((await Promise.all(hanging.map(labelOf))).toSorted()).toEqual(["active", "created", "created"]);
});

test("a person who must rest after slow images doesn't delay others who request the same image", async () => {
  const row = await found("98174651");
  const url = `${server.simulator.settings.TAG_IMAGE_URL}/slab-images/X1234567_Slabbed_FRONT.jpg`;
  await showFront(row, url);
  const ben = await server.addPerson();
  const [bens] = await runSheet(server, ben, sheetOf([["98174651", "PSA"]], { mode: "api" }));
  if (!bens) throw new Error("Ben's session has no row");
  await showFront(bens, url);
  noteRequest(ben.id);
  slowImages.spend(ana.id, 60_000);
  const resting = getImage(row.id, "front?width=192");
  const answer = await getImage(bens.id, "front?width=192", ben.headers);
  expect([answer.statusCode, (await resting).statusCode]).toEqual([200, 200]);
});

describe("an image that its host has lost", () => {
  test("is served from the cache, in every width and in full size (magic cert 51)", async () => {
    const row = rowOf("X9999951");
    await reviewedAt("X9999951");
    for (const rest of ["front", "back", "front?width=96", "back?width=1500"]) {
      expect([rest, (await getImage(row.id, rest)).statusCode]).toEqual([rest, 200]);
    }
    expect([fetches(row.imageUrl), fetches(row.imageUrlBack)]).toEqual([1, 1]);
    expect((await fetch(row.imageUrl ?? "")).status).toBe(403);
  });

  test("is served while the host is down; one that was never fetched has a message and no duplicate flag", async () => {
    const kept = rowOf("98174651");
    expect((await getImage(kept.id, "front?width=96")).statusCode).toBe(200);
    // No other images are compared while the hosts are down.
    for (const certNumber of ["98174651", "99999950", "9999999950"]) await reviewedAt(certNumber);
    server.simulator.behavior.fail("psa-images", "server_error");
    server.simulator.behavior.fail("cgc-images", "not_found");
    const sheet = sheetOf(
      [
        ["45000013", "PSA"],
        ["1401019289294", "CGC"],
      ],
      { mode: "api" },
    );
    const [later, never] = await runSheet(server, ana, sheet);
    await vi.waitFor(async () => expect(await labelOf("45000013")).toBe("retry"), { timeout: 20_000 });
    await reviewedAt("1401019289294");
    const flags = (await rowsOf(server, ana, later?.sessionId ?? "")).map((row) => row.imageFlags);
    expect(flags).toEqual([[], []]);
    expect((await getImage(never?.id, "front")).statusCode).toBe(502);
    for (const fault of ["not_found", "server_error", "reset"] as const) {
      server.simulator.behavior.fail("psa-images", fault);
      const [full, wide] = await Promise.all([getImage(kept.id, "front"), getImage(kept.id, "back?width=700")]);
      expect([fault, full.statusCode, wide.statusCode]).toEqual([fault, 200, 200]);
      const missing = await getImage(later?.id, "front?width=96");
      expect([fault, missing.statusCode, missing.json().error]).toEqual([
        fault,
        502,
        expect.stringMatching(/again|your own/),
      ]);
    }
  });
});

describe("the two images of a card", () => {
  test("are flagged in the background if they are the same, also for a cached cert (magic cert 50)", async () => {
    await followUntil(server, ana, box.id, ({ results }) =>
      results.some(({ certNumber, imageFlags }) => certNumber === "99999950" && imageFlags.includes("same_sides")),
    );
    const flags = (list: readonly ResultRow[]) => list.map((row) => row.imageFlags.join());
    expect(flags(await rowsOf(server, ana, box.id)).slice(0, 3)).toEqual(["", "same_sides", "same_sides"]);
    const known = await runSheet(
      server,
      ana,
      sheetOf([
        ["98174651", "PSA"],
        ["99999950", "PSA"],
      ]),
    );
    expect(flags(known)).toEqual(["", "same_sides"]);
    expect(known.map((row) => row.source)).toEqual(["known", "known"]);
    expect(await labelOf("99999950")).toBe("completed");
  });

  test("keep their flag when swapped, and are compared again with a new lookup", async () => {
    const row = rowOf("9999999950");
    await reviewedAt("9999999950");
    const swapped = await server.app.inject({
      method: "PATCH",
      url: `/api/scan-results/${row.id}/images`,
      headers: ana.headers,
      payload: { swap: true },
    });
    expect(swapped.json()).toMatchObject({ imageUrl: row.imageUrlBack, imageFlags: ["same_sides"] });
    // As if the first session had the card before it was compared, and its row had been compared.
    const ofRow = server.db.updateTable("scan_results").where("id", "=", Number(row.id));
    await ofRow.set({ same_sides: false, reviewed_at: new Date() }).execute();
    await server.db
      .updateTable("cached_certs")
      .set({ same_sides: false })
      .where("cert_number", "=", row.certNumber)
      .execute();
    const cached = server.db.selectFrom("cached_certs").select("same_sides").where("cert_number", "=", row.certNumber);
    const isKnownSame = () => cached.execute();
    // Ben's session is about to copy the card, and waits for his profile, when the card is looked up again.
    const ben = await server.addPerson();
    const filled = await server.db.transaction().execute(async (trx) => {
      await trx.selectFrom("user_profiles").select("id").where("id", "=", ben.id).forNoKeyUpdate().execute();
      const upload = startScan(server, ben, sheetOf([["9999999950", "CGC"]]));
      await waitsForTransaction();
      await found("9999999950", "CGC", { reuseKnown: false });
      await expect.poll(isKnownSame).toEqual([{ same_sides: true }]);
      return { upload };
    });
    const { id } = await filled.upload;
    await vi.waitFor(async () => expect(await labelOf("9999999950")).toBe("completed completed"), { timeout: 20_000 });
    const again = { imageFlags: ["same_sides"], reviewedAt: null };
    expect(await now("9999999950")).toMatchObject(again);
    expect(await rowsOf(server, ben, id)).toEqual([expect.objectContaining({ source: "known", ...again })]);
    const [known] = await runSheet(server, ana, sheetOf([["9999999950", "CGC"]]));
    expect(known?.imageFlags).toEqual(["same_sides"]);
  });

  test("are fetched once, together with the table's thumbnails, and differ", async () => {
    const row = rowOf("98174651");
    await reviewedAt("98174651");
    const shown = await Promise.all([getImage(row.id, "front?width=192"), getImage(row.id, "back?width=136")]);
    expect(shown.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect([fetches(row.imageUrl), fetches(row.imageUrlBack)]).toEqual([1, 1]);
    expect((await now("98174651"))?.imageFlags).toEqual([]);
  });

  test("are compared later if they arrive late", async () => {
    server.simulator.behavior.fail("tag-images", "not_found");
    const row = await found("X9999950", "TAG");
    await reviewedAt("X9999950");
    expect((await getImage(row.id, "front?width=192")).statusCode).toBe(502);
    expect(await labelOf("X9999950")).toBe("completed");
    server.simulator.behavior.heal();
    const sides = await Promise.all(["front?width=192", "back"].map((rest) => getImage(row.id, rest)));
    expect(sides.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const flagsOf = async (sessionId: string) => (await rowsOf(server, ana, sessionId))[0]?.imageFlags;
    await vi.waitFor(async () => expect(await flagsOf(row.sessionId)).toEqual(["same_sides"]), { timeout: 20_000 });
    const [known] = await runSheet(server, ana, sheetOf([["X9999950", "TAG"]]));
    expect(known).toMatchObject({ source: "known", imageFlags: ["same_sides"] });
  });

  test("are not compared if there is one or none", async () => {
    expect([rowOf("99999975").imageFlags, rowOf("99999987").imageFlags]).toEqual([["one_side"], ["no_image"]]);
    expect([await labelOf("99999975"), await labelOf("99999987")]).toEqual(["none", "none"]);
  });
});
