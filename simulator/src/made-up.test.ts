import { expect, test } from "vitest";
import { findCgcCard } from "./cgc/cgc-cards.ts";
import { cgcField, isSportsCard } from "./cgc/cgc-card.ts";
import { findPsaCard } from "./psa/psa-cards.ts";
import { findTagCard, findTagImage } from "./tag/tag-cards.ts";

const NUMBERS = Array.from({ length: 1000 }, (_, index) => 30_000_000 + index * 53_017);
const psaCards = NUMBERS.map((number) => findPsaCard(String(number)));
const cgcCards = NUMBERS.map((number) => findCgcCard(`60${number}`));
const tagCards = NUMBERS.map((number) => findTagCard(`T${String(number).slice(-7)}`));

test("a number always gives the same card, another number another card", () => {
  expect(findPsaCard("82456191")).toEqual(findPsaCard("82456191"));
  expect(findCgcCard("6016747-111")).toEqual(findCgcCard("6016747111"));
  expect(findTagCard("T1234567")).toEqual(findTagCard("T1234567"));
  expect(findPsaCard("82456191")).not.toEqual(findPsaCard("82456192"));
});

test.each(["1234567", "1234567890", "ABCDEFGH", ""])("%j is not a PSA number", (text) => {
  expect(findPsaCard(text)).toBeNull();
});
test.each(["123456789", "12345678901", "T1234567"])("%j is not a CGC number", (text) => {
  expect(findCgcCard(text)).toBeNull();
});
test.each(["t1234567", "T123456", "12345678"])("%j is not a TAG number", (text) => {
  expect(findTagCard(text)).toBeNull();
});

test("a few percent of the cards have no images", () => {
  const without = [
    psaCards.filter((card) => card?.scans.length === 0),
    cgcCards.filter((card) => card?.scans.length === 0),
    tagCards.filter((card) => card?.hasFront === false),
  ];
  for (const cards of without) {
    expect(cards.length).toBeGreaterThan(15);
    expect(cards.length).toBeLessThan(80);
  }
});

test("there are games and sports, half grades, ungraded cards, and dual certs", () => {
  const grades = new Set(psaCards.map((card) => card?.cert.GradeDescription));
  for (const grade of ["GEM MT 10", "MINT 9", "NM-MT+ 8.5", "Authentic"]) expect(grades).toContain(grade);
  expect(new Set(psaCards.map((card) => card?.cert.Category)).size).toBeGreaterThan(4);
  expect(psaCards.some((card) => card?.cert.IsDualCert && card.cert.PrimarySigners?.length === 1)).toBe(true);
  expect(cgcCards.some((card) => card && isSportsCard(card))).toBe(true);
  expect(cgcCards.some((card) => card && cgcField(card, "Game") === "Pokémon")).toBe(true);
});

test("PSA's records contain no null, and ReverseBarCode is true or absent", () => {
  for (const card of psaCards) {
    expect(Object.values(card?.cert ?? {})).not.toContain(null);
    expect([true, undefined]).toContain(card?.cert.ReverseBarCode);
    expect(card?.cert.ReverseBarCode === true).toBe(card?.cert.LabelType === "LighthouseLabel");
  }
});

test("leading zeros are kept", () => {
  expect(findPsaCard("00012345")?.cert.CertNumber).toBe("00012345");
});

test("TAG's score matches its grade", () => {
  for (const card of tagCards) {
    const { scoreTotal = 0, grade = "" } = card?.detail ?? {};
    if (grade === "10 PRISTINE") expect(scoreTotal).toBeGreaterThanOrEqual(990);
    if (grade === "9 MINT") expect([scoreTotal >= 900, scoreTotal <= 949]).toEqual([true, true]);
  }
});

test("a TAG card scan's URL identifies its card", () => {
  const card = findTagCard("T1234567");
  const path = new URL(card?.detail.imageFileDeskewedBack ?? "").pathname;
  expect(findTagImage(path)).toMatchObject({
    isFront: false,
    shows: "card",
    card: { detail: { certificateValue: "T1234567" } },
  });
  expect(findTagImage(path.replace(/[\da-f]_BACK/, "0_BACK").replace(/card-images\/./, "card-images/_"))).toBeNull();
});
