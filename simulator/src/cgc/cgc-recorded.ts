import recordedPages from "../recorded/cgc-pages.json" with { type: "json" };
import { cgcField, type CgcCard } from "./cgc-card.ts";

type RecordedPage = {
  pageUrl: string;
  pairs: string[][];
  scans: { label: string; url: string }[];
  population: { text: string; url: string }[];
  scansReversed?: boolean;
};

const CARDS = new Map(
  (recordedPages satisfies RecordedPage[]).map((page: RecordedPage) => {
    const card = cardOf(page);
    return [card.certNumber, card] as const;
  }),
);

/** All recorded CGC certs. */
export const RECORDED_CGC_NUMBERS: readonly string[] = [...CARDS.keys()];

/** The recorded card. Null if the cert isn't recorded. */
export function recordedCgcCard(certNumber: string): CgcCard | null {
  return CARDS.get(certNumber) ?? null;
}

function cardOf(page: RecordedPage): CgcCard {
  const card: CgcCard = {
    certNumber: "",
    pairs: page.pairs.map(([label, value]) => [label ?? "", value ?? ""]),
    scans: page.scans.map((scan) => ({
      label: scan.label === "Obverse" ? "Obverse" : "Reverse",
      path: new URL(scan.url).pathname,
    })),
    population: populationOf(page.population[0]),
    scansReversed: page.scansReversed ?? false,
  };
  return { ...card, certNumber: cgcField(card, "Cert #") };
}

function populationOf(recorded: { text: string; url: string } | undefined): CgcCard["population"] {
  if (!recorded) return null;
  const count = (pattern: RegExp): number =>
    Number(pattern.exec(recorded.text)?.[1]?.replaceAll(",", "") ?? Number.NaN);
  return {
    atGrade: count(/Grade: ([\d,]+)\nIn Higher/),
    higher: count(/Higher Grades: ([\d,]+)/),
    url: new URL(recorded.url).pathname,
  };
}
