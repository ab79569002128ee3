import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { magicCert } from "./endpoints/magic.ts";
import { findCgcCard } from "./cgc/cgc-cards.ts";
import { findPsaCard } from "./psa/psa-cards.ts";
import { startSimulator, type Simulator } from "./simulator.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

async function load(path: string): Promise<Buffer> {
  const response = await fetch(`${simulator.origin}${path}`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  return Buffer.from(await response.arrayBuffer());
}

test.each([
  ["PSA, full size", "/psa-images/cert/186783149/xFlC1ydzAkuXhFDNXia2kw.jpg", 600, 1000],
  ["PSA, small", "/psa-images/cert/186783149/small/2ONEfrQsCEeMSngjoaT42A.jpg", 180, 300],
  ["PSA, large", "/psa-images/cert/139950604/large/HJzwjjakdE2gHS19N6Juzg.jpg", 420, 700],
  ["CGC, full size", "/cgc-images/17364288-81dd-420a-939a-af28f5cf3ef8/CAR6016747-097_OBV.jpg", 600, 1000],
  ["CGC, thumbnail", "/cgc-images/17364288-81dd-420a-939a-af28f5cf3ef8/TN_CAR6016747-097_REV.jpg", 180, 300],
  ["TAG, slab", "/tag-images/slab-images/Q9937497_Slabbed_FRONT.jpg", 600, 1000],
  ["TAG, square", "/tag-images/slab-images/Q9937497_Slabbed_1x1_BACK.jpg", 500, 500],
  ["TAG, card scan", "/tag-images/card-images/b15fbe06-52e3-4768-bcfc-710f97002418_FRONT_MAIN.jpg", 600, 840],
])("%s is a real JPEG", async (_, path, width, height) => {
  expect(await sharp(await load(path)).metadata()).toMatchObject({ format: "jpeg", width, height });
});

test("front and back differ, and CGC's reversed card has its back as Obverse", async () => {
  const front = await load("/tag-images/slab-images/Q9937497_Slabbed_FRONT.jpg");
  const back = await load("/tag-images/slab-images/Q9937497_Slabbed_BACK.jpg");
  expect(front.equals(back)).toBe(false);
  expect(findCgcCard("4135876101")?.scansReversed).toBe(true);
  const obverse = await load("/cgc-images/4cde1fae-16ae-40e8-99ed-bfee31b923f0/CGC4135876-101_OBV.jpg");
  expect(obverse.equals(await load("/cgc-images/4cde1fae-16ae-40e8-99ed-bfee31b923f0/CGC4135876-101_REV.jpg"))).toBe(
    false,
  );
});

test.each([
  ["another token", "/psa-images/cert/186783149/AAAAAAAAAAAAAAAAAAAAAA.jpg"],
  ["a cert number in place of the image id", "/psa-images/cert/98174651/xFlC1ydzAkuXhFDNXia2kw.jpg"],
  ["another uuid", "/cgc-images/00000000-81dd-420a-939a-af28f5cf3ef8/CAR6016747-097_OBV.jpg"],
  ["no such path", "/tag-images/slab-images/nothing.jpg"],
])("%s is denied", async (_, path) => {
  expect((await fetch(`${simulator.origin}${path}`)).status).toBe(403);
});

test("hostile names are drawn as plain text", async () => {
  const certNumber = magicCert("PSA", "74");
  const card = findPsaCard(certNumber);
  expect(card?.cert.Subject).toContain("<B>");
  const scan = card?.scans[0];
  const image = await load(`/psa-images/cert/${scan?.imageId}/${scan?.token}.jpg`);
  expect(await sharp(image).metadata()).toMatchObject({ format: "jpeg", height: 1000 });
});
