import { findMagic } from "../endpoints/magic.ts";
import { makeUpCard, type CardFacts } from "../made-up/card-facts.ts";
import type { Seeded } from "../made-up/seeded.ts";
import { dashed, type CgcCard, type CgcScan } from "./cgc-card.ts";

/** A plausible card. The same number always gives the same card. */
export function makeUpCgcCard(certNumber: string): CgcCard {
  const facts = makeUpCard("CGC", certNumber, findMagic(certNumber));
  const { random } = facts;
  return {
    certNumber,
    pairs: makeUpPairs(certNumber, facts),
    scans: makeUpScans(certNumber, facts.images, random),
    population: random.chance(0.9)
      ? {
          atGrade: random.int(1, 3000),
          higher: random.int(0, 2600),
          url: `/population-report/tcg/${random.int(1, 99)}/?populationID=${random.int(400_000, 1_800_000)}`,
        }
      : null,
    scansReversed: random.chance(0.1),
  };
}

const NOTES = [
  "Light surface wear",
  "Corner wear at lower left back",
  "Print line on obverse",
  "Whitening along back edge",
] as const;

/** Omits rows without a value, except the Card Set on sports pages, which may be blank. */
function makeUpPairs(certNumber: string, facts: CardFacts): [string, string][] {
  const { random, kind } = facts;
  const variant2 = facts.variety !== "" && random.chance(0.25) ? "Holo" : "";
  const own: [string, string][] =
    kind.type === "tcg"
      ? [
          ["Card Name", facts.name],
          ["Game", kind.game],
          ["Year", facts.year],
          ["Language", kind.language],
          ["Card Set", kind.set],
          ["Card Number", facts.cardNumber],
          ["Variant 1", facts.variety],
          ["Variant 2", variant2],
        ]
      : [
          ["Year", facts.year],
          ["Manufacturer", kind.manufacturer],
          ["Card Set", random.chance(0.15) ? "" : kind.set],
          ["Card Number", facts.cardNumber],
          ["Player Name", facts.name],
          ["Variant 1", facts.variety],
        ];
  const pairs: [string, string][] = [
    ["Cert #", certNumber],
    ...own,
    ["Grade", cgcGrade(facts.grade, random)],
    ["Grader Notes", facts.grade !== null && facts.grade < 9 && random.chance(0.4) ? random.pick(NOTES) : ""],
    ["Grade Date", `20${random.int(22, 26)}-0${random.int(1, 9)}-${random.int(10, 28)}`],
  ];
  return pairs.filter(([label, value]) => value !== "" || label === "Card Set");
}

function cgcGrade(grade: number | null, random: Seeded): string {
  if (grade === null) return "Authentic";
  if (grade === 10) return random.chance(0.15) ? "PRISTINE 10" : "GEM MINT 10";
  return grade === 9.5 ? "MINT+ 9.5" : String(grade);
}

function makeUpScans(certNumber: string, images: CardFacts["images"], random: Seeded): CgcScan[] {
  if (images === "none") return [];
  const uuid = [8, 4, 4, 4, 12].map((length) => random.hex(length)).join("-");
  const prefix = certNumber.length === 13 ? "CRD" : "CAR";
  const path = (side: string): string => `/${uuid}/${prefix}${dashed(certNumber)}_${side}.jpg`;
  const obverse: CgcScan = { label: "Obverse", path: path("OBV") };
  return images === "front" ? [obverse] : [obverse, { label: "Reverse", path: path("REV") }];
}
