import fc from "fast-check";
import { anyText } from "./any-text.test-data.ts";
import { describe, expect, it } from "vitest";
import { differences, type RegistryCard } from "./differences.ts";

const NOTHING: RegistryCard = {
  itemName: "N/A",
  player: "N/A",
  brand: "N/A",
  variety: "N/A",
  year: "N/A",
  grade: "N/A",
};

type Recorded = { [field in keyof RegistryCard]: string } & { company: string };

function recorded(
  company: string,
  itemName: string,
  [player, year, brand, variety, grade]: [player: string, year: string, brand: string, variety: string, grade: string],
): Recorded {
  return { company, itemName, player, year, brand, variety, grade };
}

/** Cards as recorded from the three companies. */
const CARDS = {
  tigers: recorded("PSA", "1960 TOPPS #72 TIGERS TEAM", ["TIGERS TEAM", "1960", "TOPPS", "N/A", "NM-MT 8"]),
  ohtani: recorded(
    "PSA",
    "2022 TOPPS CHROME 1987 TOPPS BASEBALL AUTOGRAPHS #87BASO SHOHEI OHTANI '87 TPS.BB.AU-ORNG.REF.",
    ["SHOHEI OHTANI", "2022", "TOPPS CHROME 1987 TOPPS BASEBALL AUTOGRAPHS", "'87 TPS.BB.AU-ORNG.REF.", "MINT 9"],
  ),
  lemieux: recorded("PSA", "1991 O-PEE-CHEE PREMIER #114 MARIO LEMIEUX", [
    "MARIO LEMIEUX",
    "1991",
    "O-PEE-CHEE PREMIER",
    "N/A",
    "GEM MT 10",
  ]),
  flareon: recorded("PSA", "2013 POKEMON BLACK & WHITE PLASMA FREEZE #12 FLAREON-REV.FOIL PLASMA FREEZE", [
    "FLAREON-REV.FOIL",
    "2013",
    "POKEMON BLACK & WHITE PLASMA FREEZE",
    "PLASMA FREEZE",
    "NM-MT 8",
  ]),
  charizard: recorded("PSA", "2023 POKEMON JAPANESE SV3-RULER OF THE BLACK FLAME #066 CHARIZARD ex", [
    "CHARIZARD ex",
    "2023",
    "POKEMON JAPANESE SV3-RULER OF THE BLACK FLAME",
    "N/A",
    "GEM MT 10",
  ]),
  blaine: recorded("CGC", "1999 Gym 2: Challenge from the Darkness Blaine", [
    "Blaine",
    "1999",
    "Gym 2: Challenge from the Darkness",
    "Non-Holo",
    "9",
  ]),
  pikachu: recorded("CGC", "2024 Scarlet & Violet Promos #154/SV-P Pikachu in a Batik Shirt", [
    "Pikachu in a Batik Shirt",
    "2024",
    "Scarlet & Violet Promos",
    "Pikachu's Indonesia Journey",
    "GEM MINT 10",
  ]),
  regigigas: recorded("TAG", "2008 Pokémon Diamond & Pearl Legends Awakened #37/146 Regigigas", [
    "Regigigas",
    "2008",
    "Pokémon",
    "N/A",
    "7 NEAR MINT",
  ]),
};
type CardName = keyof typeof CARDS;

function compare(name: CardName, sheet: Parameters<typeof differences>[0]): string[] {
  return differences(sheet, CARDS[name].company, CARDS[name]);
}

describe("a grade", () => {
  it.each([
    ["PSA 10", "GEM MT 10"],
    ["10", "GEM MT 10"],
    ["10.0", "GEM MT 10"],
    ["PSA10", "GEM MT 10"],
    ["gem-mt 10", "GEM MINT 10"],
    ["GEM MINT", "GEM MT 10"],
    ["10", "10 PRISTINE"],
    ["PSA 10", "GEM MT 10"],
    ["7", "7 NEAR MINT"],
    ["TAG 7 Near Mint", "7 NEAR MINT"],
    ["9,5", "MINT+ 9.5"],
    ["NM-MT 8", "NM-MT 8"],
    ["Near Mint", "NM 7"],
    ["8 OC", "NM-MT 8"],
    ["9 (PD)", "MINT 9 (PD)"],
    ["PSA 9/10", "MINT 9"],
    ["AUTH", "Authentic"],
    ["A", "AUTHENTIC"],
    ["PSA Authentic Altered", "AUTH"],
    ["Authentic / Auto 10", "Authentic"],
    ["PSA", "MINT 9"],
    ["", "MINT 9"],
    ["N/A", "MINT 9"],
    ["-", "MINT 9"],
    ["10", "N/A"],
    ["10", null],
  ])("%j equals %j", (ours, theirs) => {
    expect(differences({ grade: ours }, "PSA", { ...NOTHING, grade: theirs })).toEqual([]);
  });

  it.each([
    ["PSA 10", "MINT 9", "your sheet: PSA 10, registry: MINT 9"],
    ["10", "MINT 9", "your sheet: PSA 10, registry: MINT 9"],
    ["10.0", "MINT 9", "your sheet: PSA 10, registry: MINT 9"],
    ["9,5", "MINT 9", "your sheet: PSA 9.5, registry: MINT 9"],
    ["GEM MINT", "MINT 9", "your sheet: GEM MINT, registry: MINT 9"],
    ["8.5", "NM-MT 8", "your sheet: PSA 8.5, registry: NM-MT 8"],
    ["PSA 9/10", "GEM MT 10", "your sheet: PSA 9/10, registry: GEM MT 10"],
    ["8 OC", "MINT 9", "your sheet: 8 OC, registry: MINT 9"],
    ["AUTH", "MINT 9", "your sheet: AUTH, registry: MINT 9"],
    ["1", "Authentic", "your sheet: PSA 1, registry: Authentic"],
    ["PRISTINE 10", "GEM MINT 10", "your sheet: PRISTINE 10, registry: GEM MINT 10"],
    ["10 GEM MINT", "10 PRISTINE", "your sheet: 10 GEM MINT, registry: 10 PRISTINE"],
    ["raw", "MINT 9", "your sheet: raw, registry: MINT 9"],
  ])("%j differs from %j", (ours, theirs, message) => {
    expect(differences({ grade: ours }, "PSA", { ...NOTHING, grade: theirs })).toEqual([message]);
  });

  it("ignores TAG's score of a thousand", () => {
    expect(differences({ grade: "986" }, "TAG", { ...NOTHING, grade: "10 PRISTINE" })).toEqual([]);
  });
});

describe("a year", () => {
  it.each([
    ["1960", "1960"],
    ["2022-23", "2022"],
    ["2022", "2022-23"],
    ["'99", "1999"],
    ["99", "1999"],
    ["98-99", "1998"],
    ["2021-22", "2022"],
    ["1995", "1994-95"],
    ["2000", "1999-00"],
    ["2000", "1999-2000"],
    ["1999-2000", "2000"],
    ["99-00", "2000"],
    ["11/21/1999", "1999"],
    ["Series 10", "1999"],
    ["19995", "1999"],
    ["", "1999"],
    ["1999", "N/A"],
  ])("%j equals %j", (ours, theirs) => {
    expect(differences({ year: ours }, "PSA", { ...NOTHING, year: theirs })).toEqual([]);
  });

  it.each([
    ["1999", "2000", "your sheet: 1999, registry: 2000"],
    ["2021-22", "2023", "your sheet: 2021-22, registry: 2023"],
    ["1899", "1999", "your sheet: 1899, registry: 1999"],
    ["1999-00", "1900", "your sheet: 1999-00, registry: 1900"],
    ["'99", "2000", "your sheet: '99, registry: 2000"],
  ])("%j differs from %j", (ours, theirs, message) => {
    expect(differences({ year: ours }, "PSA", { ...NOTHING, year: theirs })).toEqual([message]);
  });
});

describe("a name", () => {
  it.each<[CardName, string]>([
    ["tigers", "Detroit Tigers"],
    ["tigers", "Team Card - Tigers"],
    ["tigers", "1960 Topps #72"],
    ["tigers", "72"],
    ["ohtani", "Ohtani, Shohei"],
    ["ohtani", "S. Ohtani RC"],
    ["ohtani", "2022 Topps Chrome Shohei Ohtani 1987 Auto PSA 9"],
    ["flareon", "Flareon Reverse Holo"],
    ["charizard", "Charizard Holo"],
    ["charizard", "2022 POKEMON JAPANESE SV2A #006 CHARIZARD EX"],
    ["charizard", "CHARIZARDEX"],
    ["charizard", "リザードン"],
    ["blaine", "Blaine's Gym"],
    ["pikachu", "PIKACHU"],
    ["regigigas", "régigigas"],
    ["tigers", "Error: 01020688"],
    ["tigers", "Queued: 01020688"],
    ["tigers", "Player Error"],
    ["tigers", "Error"],
    ["tigers", "N/A"],
    ["tigers", " "],
  ])("of %s equals %j", (card, name) => {
    expect(compare(card, { name })).toEqual([]);
  });

  it.each<[CardName, string, string]>([
    ["tigers", "Mickey Mantle", "your sheet: Mickey Mantle, registry: TIGERS TEAM"],
    ["tigers", "1960 Topps Mickey Mantle", "your sheet: 1960 Topps Mickey Mantle, registry: TIGERS TEAM"],
    ["ohtani", "Mike Trout", "your sheet: Mike Trout, registry: SHOHEI OHTANI"],
    ["charizard", "Blastoise Holo", "your sheet: Blastoise Holo, registry: CHARIZARD ex"],
    ["charizard", "Pokemon Pikachu", "your sheet: Pokemon Pikachu, registry: CHARIZARD ex"],
  ])("of %s differs from %j", (card, name, message) => {
    expect(compare(card, { name })).toEqual([message]);
  });

  it("differs from a longer name that contains it", () => {
    const mewtwo = { ...NOTHING, player: "MEWTWO", itemName: "1999 POKEMON GAME #10 MEWTWO-HOLO" };
    expect(differences({ name: "Mew" }, "PSA", mewtwo)).toEqual(["your sheet: Mew, registry: MEWTWO"]);
  });

  it("is shortened to whole characters", () => {
    const [message] = compare("tigers", { name: `${"x".repeat(79)}😀 and more` });
    expect(message).toBe(`your sheet: ${"x".repeat(79)}😀, registry: TIGERS TEAM`);
  });
});

describe("a set", () => {
  it.each<[CardName, string]>([
    ["tigers", "Topps"],
    ["tigers", "1960 Topps Baseball"],
    ["ohtani", "Topps Chrome '87"],
    ["lemieux", "OPC Premier"],
    ["lemieux", "OPC"],
    ["lemieux", "O Pee Chee"],
    ["flareon", "Plasma Freeze"],
    ["flareon", "B&W: Plasma-Freeze"],
    ["charizard", "Ruler of the Black Flame"],
    ["charizard", "Pokémon"],
    ["charizard", "Base Set"],
    ["pikachu", "SV Promo"],
    ["regigigas", "Legends Awakened"],
    ["regigigas", "Diamond & Pearl"],
  ])("of %s equals %j", (card, set) => {
    expect(compare(card, { set })).toEqual([]);
  });

  it("ignores abbreviation and number", () => {
    const promo = { ...NOTHING, brand: "POKEMON SWSH BLACK STAR PROMO" };
    expect(differences({ set: "Sword & Shield" }, "PSA", promo)).toEqual([]);
    const mew = { ...NOTHING, brand: "POKEMON MEW EN-151" };
    expect(differences({ set: "Scarlet & Violet 151" }, "PSA", mew)).toEqual([]);
  });

  it.each<[CardName, string, string]>([
    ["tigers", "Bowman", "your sheet: Bowman, registry: TOPPS"],
    ["flareon", "Team Rocket", "your sheet: Team Rocket, registry: POKEMON BLACK & WHITE PLASMA FREEZE"],
  ])("of %s differs from %j", (card, set, message) => {
    expect(compare(card, { set })).toEqual([message]);
  });
});

describe("a whole row", () => {
  it("lists every difference, the grade first", () => {
    expect(compare("tigers", { name: "Roger Maris", grade: "9", year: "1961", set: "Fleer" })).toEqual([
      "your sheet: PSA 9, registry: NM-MT 8",
      "your sheet: 1961, registry: 1960",
      "your sheet: Roger Maris, registry: TIGERS TEAM",
      "your sheet: Fleer, registry: TOPPS",
    ]);
  });

  it("ignores fields that the registry lacks, as on TAG's page", () => {
    expect(differences({ name: "Charizard", grade: "9", year: "1999", set: "Base" }, "TAG", NOTHING)).toEqual([]);
  });

  it("equals the registry's own words in any order, case, and punctuation", () => {
    const shuffled = (text: string) => {
      const parts = text.split(/[ /&.-]+/).filter((part) => part !== "");
      return fc
        .record({
          some: fc.shuffledSubarray(parts, { minLength: 1 }),
          between: fc.constantFrom(" ", "-", ", ", " / "),
          isUpper: fc.boolean(),
        })
        .map(({ some, between, isUpper }) => {
          const joined = some.join(between);
          return isUpper ? joined.toUpperCase() : joined.toLowerCase();
        });
    };
    const rows = fc.constantFrom(...Object.values(CARDS)).chain((card) =>
      fc.tuple(
        fc.constant(card),
        fc.record({
          name: fc.oneof(shuffled(card.itemName), shuffled(card.player), shuffled(card.brand)),
          set: fc.oneof(shuffled(card.brand), shuffled(card.itemName)),
          grade: fc.constantFrom(card.grade, `${card.company} ${card.grade}`, card.grade.toLowerCase()),
          year: fc.constantFrom(card.year, `${card.year}-${Number(card.year.slice(2)) + 1}`, `'${card.year.slice(2)}`),
        }),
      ),
    );
    fc.assert(
      fc.property(rows, ([card, sheet]) => {
        expect(differences(sheet, card.company, card)).toEqual([]);
      }),
    );
  });

  it("is compared whatever it contains", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), anyText);
    const card = fc.record({
      itemName: text,
      player: text,
      brand: text,
      variety: text,
      year: text,
      grade: text,
    });
    fc.assert(
      fc.property(fc.record({ name: text, grade: text, year: text, set: text }), card, (sheet, registry) => {
        for (const message of differences(sheet, "PSA", registry))
          expect(message).toMatch(/^your sheet: .*, registry: /s);
      }),
    );
  });
});

describe("a grade beside the company", () => {
  const mint = { ...NOTHING, grade: "MINT 9" };

  it("is compared if the sheet has no grade column", () => {
    expect(differences({ company: "PSA 10" }, "PSA", mint)).toEqual(["your sheet: PSA 10, registry: MINT 9"]);
    expect(differences({ company: "PSA 9" }, "PSA", mint)).toEqual([]);
    expect(differences({ company: "PSA 10", grade: "9" }, "PSA", mint)).toEqual([]);
  });

  it("is missing if the cell has only the company", () => {
    expect(differences({ company: "Professional Sports Authenticator (PSA)" }, "PSA", mint)).toEqual([]);
  });
});
