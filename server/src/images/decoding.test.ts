import { getPriority } from "node:os";
import { slowImages } from "../concurrency/budgets.ts";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test, vi } from "vitest";
import { gridAvif, transparentAvif, type PlainAvif } from "../testing/avif.ts";
import { childPriorities } from "../testing/child-processes.ts";
import { pngChunk as chunk } from "../testing/png-chunk.ts";
import { createDecoding, decode, judgeImage as judge } from "./decoding.ts";
import { withoutHeavyChunks } from "./heavy-images.ts";

const judgeImage = (bytes: Buffer) => judge(bytes, "ana");
const plainPhoto = (bytes: Buffer) => decode("ana", "plainPhoto", bytes);
const smallWebp = (bytes: Buffer, width: number) => decode("ana", "smallWebp", bytes, width);
const asJpeg = (bytes: Buffer) => decode("ana", "asJpeg", bytes);

const drawn = sharp({ create: { width: 60, height: 100, channels: 3, background: "#336699" } });
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`;

/** The signature and the chunk IHDR. */
const AFTER_PNG_HEAD = 33;

/** A few hundred bytes that declare this many pixels. */
function hugePng(width: number, height = width): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(1, 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.alloc(100))), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

/** An animation of 5000 by 5000 pixels with 15 bytes per frame. */
function longGif(frames: number): Buffer {
  const head = Buffer.from("GIF89a\x88\x13\x88\x13\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0x88, 0x13, 0x88, 0x13, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(";")]);
}

describe("an accepted image", () => {
  test.each(["jpeg", "png", "webp", "gif", "avif"] as const)("is %s, by its content", async (format) => {
    const judged = await judgeImage(await drawn.clone().toFormat(format).toBuffer());
    expect(judged).toEqual({ kind: "image", contentType: `image/${format}`, width: 60, height: 100 });
  });

  test.each<[what: string, bytes: Buffer | Promise<Buffer>]>([
    ["nothing", Buffer.alloc(0)],
    ["a web page", Buffer.from("<!DOCTYPE html><script>alert(1)</script>")],
    ["a drawing with a script", Buffer.from(SVG)],
    ["a drawing behind white space and a comment", Buffer.from(` <!-- JFIF -->\n<?xml version="1.0"?>${SVG}`)],
    ["a document", Buffer.from("%PDF-1.7\n1 0 obj")],
    ["a program of a drawing tool", Buffer.from("push graphic-context\nviewbox 0 0 640 480\nimage over 0,0 0,0 'x'")],
    ["a format that no browser shows", drawn.clone().tiff().toBuffer()],
    ["a page that begins like a JPEG", Buffer.from("\xff\xd8\xff<script>alert(1)</script>", "latin1")],
    [
      "a drawing that begins like a PNG",
      Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), Buffer.from(SVG)]),
    ],
    ["a film", Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isommp42", "latin1")],
  ])("is not %s", async (_what, bytes) => {
    expect(await judgeImage(await bytes)).toMatchObject({ kind: "no_image" });
  });

  test("has a limited number of pixels over all frames, however few bytes it has", async () => {
    expect(hugePng(60_000).length).toBeLessThan(300);
    expect(await judgeImage(hugePng(60_000))).toEqual({ kind: "too_many_pixels" });
    expect(await judgeImage(longGif(2))).toMatchObject({ kind: "image", width: 5000, height: 5000 });
    expect(await judgeImage(longGif(3))).toEqual({ kind: "too_many_pixels" });
  });

  test("has limited sides, because the decoder's memory grows with them", async () => {
    expect(await judgeImage(hugePng(20_000, 9))).toMatchObject({ kind: "image", width: 20_000 });
    expect(await judgeImage(hugePng(20_001, 9))).toEqual({ kind: "too_many_pixels" });
    expect(await judgeImage(hugePng(9, 20_001))).toEqual({ kind: "too_many_pixels" });
  });

  test("is an AVIF whose transparency has a limited number of pixels, and no grid of large tiles", async () => {
    const avifOf = async (side: number): Promise<PlainAvif> => {
      const plain = sharp({ create: { width: side, height: side, channels: 3, background: "#336699" } });
      return { side, file: await plain.avif().toBuffer() };
    };
    const [small, tile] = [await avifOf(64), await avifOf(300)];
    const size = { width: 64, height: 64 };
    expect(await judgeImage(transparentAvif(small, 64))).toMatchObject({ kind: "image", ...size });
    // The decoder accepts both and works on all their pixels.
    for (const avif of [transparentAvif(small, 16_000), gridAvif(tile, 64, 15)]) {
      expect(await sharp(avif).metadata()).toMatchObject({ mediaType: "image/avif", ...size });
      expect(await judgeImage(avif)).toEqual({ kind: "too_many_pixels" });
    }
    // A box with a 64-bit length, and many words that look like a box.
    const long = transparentAvif(small, 16_000, { hasLongSizes: true });
    for (const avif of [long, Buffer.concat([transparentAvif(small, 64), Buffer.from("ispe".repeat(101))])]) {
      expect(await sharp(avif).metadata()).toMatchObject(size);
      expect(await judgeImage(avif)).toEqual({ kind: "too_many_pixels" });
    }
    const { info } = await sharp(gridAvif(tile, 64, 15))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject(size);
  });

  test("can be an AVIF with any words in its metadata", async () => {
    const Copyright = "We infer that a whisper dispensed this".repeat(9);
    const avif = await drawn.clone().avif().withExif({ IFD0: { Copyright } }).toBuffer();
    expect(avif.toString("latin1")).toContain(Copyright);
    expect(await judgeImage(avif)).toMatchObject({ kind: "image" });
  });

  test("loses compressed text and color profiles, but no pixels", async () => {
    const plain = await drawn.clone().png().toBuffer();
    const [head, rest] = [plain.subarray(0, AFTER_PNG_HEAD), plain.subarray(AFTER_PNG_HEAD)];
    const withChunks = (...chunks: Buffer[]): Buffer => Buffer.concat([head, ...chunks, rest]);
    const bomb = deflateSync(Buffer.alloc(8 * 1024 * 1024));
    const text = chunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), bomb]));
    const profile = chunk("iCCP", Buffer.concat([Buffer.from("ICC\0\0"), bomb]));
    expect(
      withoutHeavyChunks(withChunks(text, chunk("tEXt", Buffer.alloc(9)), chunk("iTXt", Buffer.alloc(9)))),
    ).toEqual(plain);
    expect(withoutHeavyChunks(withChunks(profile, profile))).toEqual(plain);
    expect(withoutHeavyChunks(plain)).toBe(plain);
    expect(withoutHeavyChunks(plain.subarray(0, -20))).toEqual(plain.subarray(0, -20));
    expect(await judgeImage(withChunks(...Array<Buffer>(100).fill(text)))).toMatchObject({
      kind: "image",
      width: 60,
    });
  });

  test("is not decoded by any other decoder", async () => {
    const scan = await drawn.clone().tiff().toBuffer();
    for (const bytes of [Buffer.from(SVG), scan]) {
      await expect(sharp(bytes).metadata()).resolves.toBeDefined();
      await expect(asJpeg(bytes)).rejects.toThrow("unsupported image format");
    }
  });
});

describe("a decoded image", () => {
  test("is upright, at most 2400 pixels long, and has no location data", async () => {
    const telephone = await sharp({ create: { width: 3600, height: 1800, channels: 3, background: "#884422" } })
      .jpeg()
      .withExif({
        IFD0: { Make: "Somebody's telephone" },
        IFD3: { GPSLatitudeRef: "N", GPSLatitude: "48/1 51/1 30/1" },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(await sharp(telephone).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) as unknown });
    const kept = await plainPhoto(telephone);
    const { format, width, height, exif, orientation, icc, xmp } = await sharp(kept).metadata();
    expect({ format, width, height, exif, orientation, icc, xmp }).toEqual({
      format: "jpeg",
      width: 1200,
      height: 2400,
    });
    expect(kept.toString("latin1")).not.toMatch(/telephone|Exif|GPS/);
  });

  test("keeps the colors of a display's profile and ignores profiles with lookup tables", async () => {
    const blue = { create: { width: 9, height: 9, channels: 3, background: "#336699" } } as const;
    const photo = await sharp(blue).withIccProfile("p3").jpeg({ quality: 100 }).toBuffer();
    const { icc } = await sharp(photo).metadata();
    if (!icc) throw new Error("The photo has no profile");
    // Replaces the copyright with a table that makes every color black.
    const elements = Buffer.alloc(28 + 60);
    elements.write("mpet");
    elements.write("matf", 24);
    for (const [at, value] of Object.entries({ 8: 3, 10: 3, 32: 3, 34: 3 })) elements.writeUInt16BE(value, Number(at));
    for (const [at, value] of Object.entries({ 12: 1, 16: 24, 20: 60 })) elements.writeUInt32BE(value, Number(at));
    const tables = Buffer.concat([icc, elements]);
    tables.writeUInt32BE(tables.length);
    const entry = tables.indexOf("cprt");
    tables.write("D2B0", entry);
    tables.writeUInt32BE(icc.length, entry + 4);
    tables.writeUInt32BE(elements.length, entry + 8);
    const start = Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe2, 0, 16 + tables.length]),
      Buffer.from("ICC_PROFILE\0\x01\x01"),
      tables,
    ]);
    start.writeUInt16BE(16 + tables.length, 4);
    const plain = await sharp(blue).jpeg({ quality: 100 }).toBuffer();
    const dark = Buffer.concat([start, plain.subarray(2)]);
    const colorOf = async (bytes: Buffer) => [...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)];
    const isNear = (color: number[]) =>
      color.every((value, index) => Math.abs(value - ([51, 102, 153][index] ?? 0)) < 5);
    expect(await colorOf(dark)).toEqual([0, 0, 0]);
    for (const bytes of [photo, dark])
      for (const work of [plainPhoto, asJpeg, (image: Buffer) => smallWebp(image, 9)])
        expect(await colorOf(await work(bytes))).toSatisfy(isNear);
  });

  test("never grows as a thumbnail, and becomes white behind transparency as JPEG", async () => {
    const clear = await sharp({ create: { width: 50, height: 80, channels: 4, background: "#00000000" } })
      .png()
      .toBuffer();
    const small = await smallWebp(clear, 192);
    expect(await sharp(small).metadata()).toMatchObject({ format: "webp", width: 50, height: 80 });
    const { data } = await sharp(await asJpeg(small))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  test("is refused if it is truncated", async () => {
    const noise = await sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        background: "#888888",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer();
    const half = noise.subarray(0, noise.length / 2);
    expect(await judgeImage(half)).toMatchObject({ kind: "image" });
    await expect(smallWebp(half, 96)).rejects.toThrow("premature");
    await expect(plainPhoto(half)).rejects.toThrow("premature");
  });
});

test("one person's many images don't delay another's", async () => {
  const large = await sharp({ create: { width: 2000, height: 2000, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  // Starts the decoders.
  await Promise.all(["ana", "ana", "ben"].map((person) => judge(large, person)));
  const order: string[] = [];
  const anas = Array.from({ length: 12 }, () => plainPhoto(large).then(() => order.push("ana")));
  await judge(large, "ben").then(() => order.push("ben"));
  await Promise.all(anas);
  // In order of arrival, ten of Ana's would come first.
  expect(order.indexOf("ben")).toBeLessThan(9);
});

test.runIf(process.platform === "linux")("decoders have a lower priority than requests", async () => {
  await judgeImage(await drawn.clone().png().toBuffer());
  expect(new Set(await childPriorities("decoder-process"))).toEqual(new Set([getPriority() + 10]));
});

test("a decoder ends at its deadline, in the middle of a call, and the next image gets a new one", async () => {
  const side = 2_000;
  const tile = await sharp({ create: { width: side, height: side, channels: 3, background: "red" } })
    .avif({ effort: 0 })
    .toBuffer();
  // Decoding takes much longer than the deadline: a billion pixels in a single call.
  const slow = gridAvif({ side, file: tile }, 64, 16);
  const decodeForFiveSeconds = createDecoding(5_000);
  await expect(decodeForFiveSeconds("ana", "asJpeg", slow)).rejects.toThrow("timeout");
  const small = await decodeForFiveSeconds("ana", "judge", await drawn.clone().png().toBuffer());
  expect(small).toMatchObject({ kind: "image" });
});

test("slow decoding is charged to the viewer's budget", async () => {
  const png = await drawn.clone().png().toBuffer();
  const spend = vi.spyOn(slowImages, "spend");
  await createDecoding(60_000, 0)("ana", "smallWebp", png, 96);
  expect(spend.mock.calls).toEqual([["ana", expect.any(Number)]]);
  await createDecoding(60_000, 60_000)("ana", "smallWebp", png, 96);
  expect(spend).toHaveBeenCalledOnce();
});
