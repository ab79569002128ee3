import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSimulator, type Simulator } from "@slabdesk/simulator/simulator.ts";
import { amount } from "../../../scripts/test-form.ts";
import { decode } from "./decoding.ts";

const isSameImage = (one: Buffer, other: Buffer) => decode("background", "isSameImage", one, other);

/** Fronts and backs of recorded cards of the three companies. */
const RECORDED = [
  "/psa-images/cert/186783149/xFlC1ydzAkuXhFDNXia2kw.jpg",
  "/psa-images/cert/186783149/2ONEfrQsCEeMSngjoaT42A.jpg",
  "/psa-images/cert/152762159/kXgCxEvrLUWkNecjUmI_gg.jpg",
  "/psa-images/cert/152762159/wAm6iShv2kisGBexVy-l6Q.jpg",
  "/cgc-images/17424981-0433-4c0d-aeee-41f04ac74656/CAR6034330-274_OBV.jpg",
  "/cgc-images/17424981-0433-4c0d-aeee-41f04ac74656/CAR6034330-274_REV.jpg",
  "/tag-images/slab-images/Q9937497_Slabbed_FRONT.jpg",
  "/tag-images/slab-images/Q9937497_Slabbed_BACK.jpg",
];

let simulator: Simulator;
let slabs: Buffer[];
beforeAll(async () => {
  simulator = await startSimulator();
  slabs = await Promise.all(
    RECORDED.map(async (path) => Buffer.from(await (await fetch(simulator.origin + path)).arrayBuffer())),
  );
});
afterAll(() => simulator.close());

const thumbnail = (image: Sharp): Promise<Buffer> => image.resize({ width: 192 }).webp({ quality: 82 }).toBuffer();

describe("two images are the same", () => {
  test.each<[how: string, copy: (image: Sharp) => Sharp | Promise<Buffer>]>([
    ["compressed anew", (image) => image.jpeg({ quality: 40 }).toBuffer()],
    ["in another format", (image) => image.webp({ quality: 60 }).toBuffer()],
    ["smaller", (image) => image.resize({ width: 260 }).jpeg().toBuffer()],
    ["a little brighter", (image) => image.modulate({ brightness: 1.01 })],
    ["cut by two pixels", (image) => image.extract({ left: 2, top: 2, width: 596, height: 996 })],
  ])("%s", async (_how, copy) => {
    for (const slab of slabs.filter((_, index) => index % amount({ short: 3, long: 1 }) === 0)) {
      const copied = await copy(sharp(slab));
      const again = Buffer.isBuffer(copied) ? sharp(copied) : copied;
      expect(await isSameImage(await thumbnail(sharp(slab)), await thumbnail(again))).toBe(true);
    }
  });
});

describe("two images differ", () => {
  test("if they are two sides or two cards", async () => {
    const small = await Promise.all(slabs.map((slab) => thumbnail(sharp(slab))));
    const taken = small.flatMap((one, index) => small.slice(index + 1).map((other) => [one, other] as const));
    expect(taken).toHaveLength(28);
    for (const [one, other] of taken) expect(await isSameImage(one, other)).toBe(false);
  });

  test("if one is part of the other, or only the label differs", async () => {
    const [slab = Buffer.alloc(0)] = slabs;
    const whole = await thumbnail(sharp(slab));
    expect(
      await isSameImage(whole, await thumbnail(sharp(slab).extract({ left: 0, top: 0, width: 600, height: 800 }))),
    ).toBe(false);
    const label = {
      input: { create: { width: 120, height: 100, channels: 3 as const, background: "#222222" } },
      left: 400,
      top: 80,
    };
    const graded = await sharp(slab).composite([label]).toBuffer();
    expect(await isSameImage(whole, await thumbnail(sharp(graded)))).toBe(false);
  });
});
