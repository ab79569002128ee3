import type { NewScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import { magicCert } from "@slabdesk/simulator/endpoints/magic.ts";

type CompanyName = "PSA" | "CGC" | "TAG";
type SheetLine = [certNumber: string, gradingCompany: string, price?: string, notes?: string];

/** The expected result of a line: its stored certificate, and its possible ends as "status/outcome". */
export type Expected = {
  line: number;
  cells: string[];
  certNumber: string;
  ends: readonly string[];
  /** Whether its upstream may be called again without a crash, because it was slow or asked for a delay. */
  mayBeAskedAgain: boolean;
};

export type SurvivalSheet = { sheet: NewScanSession; expected: Expected[] };

type Kind = Omit<Expected, "line" | "cells"> & { typed: SheetLine };

/** Magic certs by code (simulator/README.md), looked up by API with the page as fallback. */
const SPECIAL: { company: CompanyName; code: string; ends: string[]; again?: true }[] = [
  { company: "PSA", code: "90", ends: ["error/not_found"] },
  { company: "CGC", code: "90", ends: ["error/not_found"] },
  { company: "TAG", code: "90", ends: ["error/not_found"] },
  { company: "PSA", code: "92", ends: ["error/unavailable"] },
  { company: "CGC", code: "84", ends: ["error/unavailable"] },
  { company: "CGC", code: "80", ends: ["completed/found"] },
  { company: "TAG", code: "92", ends: ["error/unavailable"] },
  // The first calls of the API and of the page hang: the row goes to the retry queue, unless a crash has used up the fault.
  { company: "PSA", code: "73", ends: ["completed_retry/found", "completed/found"], again: true },
  // The first call to each returns a delay of 2 seconds: the row waits and resumes by itself. At PSA, it would also tell
  // the limit of 100 calls a day. After these, a card that PSA's page fails to answer for waits until the next day.
  { company: "CGC", code: "79", ends: ["completed/found"], again: true },
];

const INVALID: { typed: SheetLine; ends: string[] }[] = [
  { typed: ["", "PSA", "15", "Number not legible"], ends: ["error/invalid_row"] },
  { typed: ["82456191", "", "20", "Company left out"], ends: ["error/invalid_row"] },
  { typed: ["0012345678", "BGS", "45"], ends: ["error/invalid_row"] },
  { typed: ["1.45531E+08", "PSA", "30"], ends: ["error/invalid_number"] },
  { typed: ["ABC-12345", "CGC", "25"], ends: ["error/invalid_number"] },
];

/** One row in this many repeats a certificate of the sheet. */
const DUPLICATE_EVERY = 9;

/** A sheet of unique certificates that are all found, of these companies in turn. */
export function calmSheet(
  count: number,
  random: Seeded,
  companies: readonly CompanyName[] = ["PSA", "CGC", "TAG"],
): SurvivalSheet {
  const base = random.int(0, 8_000) * 1_000;
  return sheetOfKinds(
    Array.from({ length: count }, (_, index) =>
      ordinaryKind(base + index, companies[index % companies.length] ?? "PSA"),
    ),
  );
}

/** A sheet of `count` lines like a shop's: three companies, duplicates, invalid lines, certs that fail. */
export function survivalSheet(count: number, random: Seeded): SurvivalSheet {
  const special = [...INVALID.map(invalidKind), ...SPECIAL.map(specialKind)];
  const ordinary = Array.from({ length: count - special.length }, (_, index) =>
    ordinaryKind(index, random.pick(["PSA", "CGC", "TAG"])),
  );
  const kinds = ordinary.map((kind, index) =>
    index % DUPLICATE_EVERY === DUPLICATE_EVERY - 1 ? (ordinary[random.int(0, index - 1)] ?? kind) : kind,
  );
  for (const kind of special) kinds.splice(random.int(0, kinds.length), 0, kind);
  return sheetOfKinds(kinds);
}

function sheetOfKinds(kinds: readonly Kind[]): SurvivalSheet {
  const expected = kinds.map(({ typed, ...kind }, index) => {
    const [certNumber, gradingCompany, price = "", notes = ""] = typed;
    return { ...kind, line: index + 2, cells: [certNumber, gradingCompany, price, notes] };
  });
  return { sheet: sheetOf(expected), expected };
}

function sheetOf(lines: readonly Pick<Expected, "line" | "cells">[]): NewScanSession {
  return {
    csvFilename: "survival.csv",
    header: ["CertNumber", "GradingCompany", "Price", "Notes"],
    rows: lines.map(({ line, cells }) => {
      const [certNumber = "", gradingCompany = "", price = "", notes = ""] = cells;
      return { line, cells, certNumber, gradingCompany, price, notes };
    }),
  };
}

/** Ordinary numbers in the companies' formats. */
const FORMS = { PSA: "4", CGC: "401", TAG: "K" } as const;

function ordinaryKind(index: number, company: CompanyName): Kind {
  const certNumber = `${FORMS[company]}${1_000_000 + index}`;
  const typed: SheetLine = [certNumber, company, String(5 + (index % 500)), `Box ${index}`];
  return { typed, certNumber, ends: ["completed/found"], mayBeAskedAgain: false };
}

function specialKind({ company, code, ends, again }: (typeof SPECIAL)[number]): Kind {
  const certNumber = magicCert(company, code);
  return { typed: [certNumber, company, "12"], certNumber, ends, mayBeAskedAgain: again ?? false };
}

function invalidKind({ typed, ends }: (typeof INVALID)[number]): Kind {
  return { typed, certNumber: typed[0], ends, mayBeAskedAgain: false };
}
