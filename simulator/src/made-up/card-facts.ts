import { SPORTS_SETS, TCG_SETS } from "./catalog.ts";
import { seeded, type Seeded } from "./seeded.ts";

/** A made-up card, independent of any company's wording. */
export type CardFacts = {
  random: Seeded;
  year: string;
  /** The card's number. "" if the card has none. */
  cardNumber: string;
  name: string;
  variety: string;
  /** 10, 9.5 … 1. Null for an authentic card without a grade. */
  grade: number | null;
  images: "both" | "front" | "none";
  kind: TcgKind | SportsKind;
};

type TcgKind = { type: "tcg"; game: string; brand: string; set: string; language: string };
type SportsKind = { type: "sports"; sport: string; manufacturer: string; set: string; autographed: boolean };

/** What is unusual about the data or prices of a made-up card. It is served normally. */
export type Variant =
  | "no_images"
  | "front_only"
  | "same_images"
  | "hostile_text"
  | "no_prices"
  | "no_sales"
  | "no_estimate"
  | "half_grade"
  | "apart"
  | "autograph"
  | "other_population";

const NO_IMAGES_SHARE = 1 / 25;

/**
 * Two of three cards are from trading-card games, as in the recorded captures. The same number always gives the same
 * card. `magic` is that of the number, if it has one.
 */
export function makeUpCard(company: string, certNumber: string, magic: { variant?: Variant } | null): CardFacts {
  const random = seeded(`${company} ${certNumber}`);
  const variant = magic?.variant ?? null;
  const card = random.chance(2 / 3) ? makeUpTcg(random) : makeUpSports(random);
  const noImages = random.chance(NO_IMAGES_SHARE) && magic === null;
  return {
    random,
    ...card,
    grade: variant === "half_grade" ? halfGrade(company) : makeUpGrade(random),
    images: noImages ? "none" : imagesOf(variant),
    ...(variant === "hostile_text" ? HOSTILE : {}),
    ...(company === "PSA" ? SEEN_AT_PSA.get(certNumber) : undefined),
  };
}

const POKEMON = { type: "tcg", game: "Pokémon", brand: "Pokemon" } as const;

/** PSA slabs that were seen only at a price source. */
const SEEN_AT_PSA = new Map<string, Omit<CardFacts, "random" | "images">>([
  [
    "154284805",
    {
      year: "2016",
      cardNumber: "208",
      name: "Poncho-Wear. Pikachu",
      variety: "M.C. Y Pikachu Special Box",
      grade: 10,
      kind: { ...POKEMON, set: "Japanese XY Promo", language: "Japanese" },
    },
  ],
  [
    "69145695",
    {
      year: "2019",
      cardNumber: "SM162",
      name: "Pikachu-Holo",
      variety: "Promo-Tm.Up Sngl.Pk.Blst.",
      grade: 8,
      kind: { ...POKEMON, set: "SM Black Star Promo", language: "English" },
    },
  ],
]);

/** Text that needs escaping in HTML, in CSV and in spreadsheets that run formulas. */
const HOSTILE = {
  name: `=HYPERLINK("http://example.invalid","Mew") & <b>"Mewtwo"</b>, 50% 超夢\tÉdition`,
  variety: `+1+1|'quoted', "comma"; <script>alert(1)</script>`,
} as const;

function imagesOf(variant: Variant | null): CardFacts["images"] {
  if (variant === "no_images") return "none";
  return variant === "front_only" ? "front" : "both";
}

function makeUpTcg(random: Seeded) {
  const set = random.pick(TCG_SETS);
  const number = random.int(1, Math.round(set.size * 1.1));
  const kind: TcgKind = { type: "tcg", game: set.game, brand: set.brand, set: set.set, language: set.language };
  return {
    year: String(set.year),
    cardNumber:
      set.game === "Pokémon" ? `${String(number).padStart(3, "0")}/${set.size}` : String(number).padStart(3, "0"),
    name: random.pick(set.names),
    variety: random.pick(set.variants),
    kind,
  };
}

function makeUpSports(random: Seeded) {
  const set = random.pick(SPORTS_SETS);
  const kind: SportsKind = {
    type: "sports",
    sport: set.sport,
    manufacturer: set.manufacturer,
    set: set.set,
    autographed: set.autographs,
  };
  return {
    year: String(set.year),
    cardNumber: random.chance(0.05) ? "" : String(random.int(1, set.size)),
    name: random.pick(set.players),
    variety: random.pick(set.variants),
    kind,
  };
}

/** PSA and TAG have no 9.5. */
function halfGrade(company: string): number {
  return company === "CGC" ? 9.5 : 8.5;
}

/** Most grades are 9 or 10. The rest are half grades, low grades and no grade. */
function makeUpGrade(random: Seeded): number | null {
  const roll = random.next();
  if (roll < 0.36) return 10;
  if (roll < 0.62) return 9;
  if (roll < 0.68) return 9.5;
  if (roll < 0.8) return 8;
  if (roll < 0.85) return 8.5;
  if (roll < 0.97) return random.pick([7.5, 7, 6.5, 6, 5, 4, 3, 2, 1]);
  return null;
}
