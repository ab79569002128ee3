import recordedPages from "@slabdesk/simulator/recorded/cgc-pages.json" with { type: "json" };
import { type ExpectedCard, numbered, orMissing, together } from "./expected-card.ts";

type RecordedPage = { pairs: string[][]; scans: { label: string; url: string }[]; population: { text: string }[] };

const PAGES = new Map(
  recordedPages.map((page: RecordedPage) => [page.pairs.find(([label]) => label === "Cert #")?.[1] ?? "", page]),
);

export const RECORDED_CGC = [...PAGES.keys()];

/** API and page agree on a recorded certificate, but only the page counts the higher grades. */
export function expectCgc(certNumber: string, upstreamOrigin: string, source: "api" | "page"): ExpectedCard {
  const page = PAGES.get(certNumber);
  if (!page) throw new Error(`CGC ${certNumber} is not recorded`);
  const print = (name: string): string | undefined => page.pairs.find(([label]) => label === name)?.[1];
  const image = (label: string): string | undefined =>
    page.scans
      .find((scan) => scan.label === label)
      ?.url.replace(/^https:\/\/[\w-]+\.s3\.amazonaws\.com/, `${upstreamOrigin}/cgc-images`);

  const player = print("Card Name") ?? print("Player Name");
  const brand = together(print("Manufacturer"), print("Card Set"));
  const itemName = together(print("Year"), brand, numbered(print("Card Number")), player);
  return {
    gradingCompany: "CGC",
    certNumber,
    itemName,
    player: orMissing(player),
    year: orMissing(print("Year")),
    language: orMissing(print("Language")),
    brand: orMissing(brand),
    cardNumber: orMissing(print("Card Number")),
    grade: orMissing(print("Grade")),
    sport: orMissing(print("Game")),
    variety: orMissing(together(print("Variant 1"), print("Variant 2"))),
    graderNotes: orMissing(print("Grader Notes")),
    tagScore: "N/A",
    imageUrl: orMissing(image("Obverse")),
    imageUrlBack: orMissing(image("Reverse")),
    certUrl: `https://www.cgccards.com/certlookup/${certNumber}/`,
    inventoryName: together("CGC", print("Grade"), itemName),
    population: countIn(page, /^In .+ Grade: /),
    populationHigher: source === "page" ? countIn(page, /^In Higher Grades: /) : null,
  };
}

/** "In Higher Grades: 2,577" is 2577. */
function countIn(page: RecordedPage, label: RegExp): number {
  const lines = page.population.flatMap(({ text }) => text.split("\n"));
  const line = lines.find((text) => label.test(text)) ?? "";
  return Number(line.replace(label, "").replaceAll(",", ""));
}
