import type { NewScanSession } from "@slabdesk/contract/api/sessions.ts";

/** A sheet of PSA cards with four columns, as a browser sends it; every number is unique. */
export function makeSheet(rows: number, firstCert = 30_000_000): NewScanSession {
  return {
    csvFilename: "box.csv",
    mode: "api",
    header: ["CertNumber", "GradingCompany", "Price", "Notes"],
    rows: Array.from({ length: rows }, (_, index) => {
      const certNumber = String(firstCert + index);
      const price = `${10 + (index % 90)}.50`;
      const notes = `Box ${Math.floor(index / 100) + 1}`;
      return {
        line: index + 2,
        cells: [certNumber, "PSA", price, notes],
        certNumber,
        gradingCompany: "PSA",
        price,
        notes,
      };
    }),
  };
}
