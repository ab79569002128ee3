import { amount } from "../../../scripts/test-form.ts";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { NewScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { magicCert } from "@slabdesk/simulator/endpoints/magic.ts";
import type { Seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import { sheetOf } from "../../../server/src/testing/scan-test.ts";

/** What a line really is, whatever the upstreams answer. */
export type Truth = "card" | "no such card" | "damaged";
export type ChaosLine = { line: number; company: string; certNumber: string; truth: Truth };
export type ChaosSheet = { mode: Mode; upload: NewScanSession; lines: ChaosLine[] };

type Share = Record<Company, number>;
type Kind = Omit<ChaosLine, "line">;

/** 1,000 lines in the three modes: 600 PSA, 250 CGC, 150 TAG; in the short form a fifth of them. */
const SHARES: readonly (readonly [Mode, Share])[] = [
  ["api-with-fallback", { PSA: 240, CGC: 100, TAG: 60 }],
  ["api", { PSA: 210, CGC: 90, TAG: 50 }],
  ["scraping", { PSA: 150, CGC: 60, TAG: 40 }],
];

/** One line in this many repeats a certificate of its sheet. */
const DUPLICATE_EVERY = 8;

const DAMAGED: Record<Company, readonly (readonly [certNumber: string, company: string])[]> = {
  PSA: [
    ["1.45531E+08", "PSA"],
    ["", "PSA"],
    ["0012345678", "BGS"],
    ["98174651234", "PSA"],
  ],
  CGC: [
    ["ABC-12345", "CGC"],
    ["6016747097", ""],
  ],
  TAG: [["12345", "TAG"]],
};

/** Three sheets like those of shops: duplicates, invalid lines, unknown numbers, and ordinary cards. */
export function chaosSheets(random: Seeded): ChaosSheet[] {
  return SHARES.map(([mode, share], sheet) => {
    const kinds = (["PSA", "CGC", "TAG"] as const).flatMap((company) =>
      kindsOf(company, mode, share[company] / amount({ short: 5, long: 1 }), sheet),
    );
    const lines = shuffled(kinds, random).map((kind, index) => ({ ...kind, line: index + 2 }));
    const upload = sheetOf(
      lines.map(({ certNumber, company }) => [certNumber, company]),
      { mode, reuseKnown: false, csvFilename: `chaos ${mode}.csv` },
    );
    return { mode, lines, upload };
  });
}

function kindsOf(company: Company, mode: Mode, count: number, sheet: number): Kind[] {
  const damaged = DAMAGED[company].map(([certNumber, typed]): Kind => ({
    company: typed,
    certNumber,
    truth: "damaged",
  }));
  const missing = missingCerts(company, mode).map((certNumber): Kind => ({
    company,
    certNumber,
    truth: "no such card",
  }));
  const kinds = [...damaged, ...missing];
  for (let index = 0; kinds.length < count; index += 1) {
    const isRepeat = index % DUPLICATE_EVERY === DUPLICATE_EVERY - 1;
    const certNumber = certOf(company, sheet * 1_000 + (isRepeat ? index - DUPLICATE_EVERY + 1 : index));
    kinds.push({ company, certNumber, truth: "card" });
  }
  return kinds;
}

/** No certificate is in two sheets. All pairs of final digits occur, also those of the neighboring card. */
function certOf(company: Company, index: number): string {
  switch (company) {
    case "PSA":
      return String(71_000_000 + index);
    case "CGC":
      return String(6_016_800_000 + index);
    case "TAG":
      return `C${1_300_000 + index}`;
  }
}

/**
 * Numbers that do not exist: unknown (90), or empty with status 200 (88) if the source says so, as PSA's API and CGC's
 * page do. TAG's page never does.
 */
function missingCerts(company: Company, mode: Mode): string[] {
  if (company === "TAG" && mode !== "api") return [];
  const saysEmpty = company === (mode === "api" ? "PSA" : "CGC");
  return (saysEmpty ? ["90", "88", "90"] : ["90", "90"]).map((code) => magicCert(company, code));
}

function shuffled<T>(list: readonly T[], random: Seeded): T[] {
  return list
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
