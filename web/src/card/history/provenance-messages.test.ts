import type { Entry } from "@slabdesk/contract/api/results.ts";
import type { Provenance } from "@slabdesk/contract/api/provenance.ts";
import { expect, test } from "vitest";
import { aFoundRow, aRow } from "../../run/row-factory.test-data.ts";
import { provenanceReport } from "./provenance-messages.ts";

const NOW = { isRunning: true, nowMs: Date.parse("2026-11-21T15:30:00.000Z") };

function aProvenance(fields: Partial<Provenance> = {}): Provenance {
  return {
    row: aRow({ line: 12 }),
    sessionName: "Dallas show",
    csvFilename: "dallas-show.csv",
    processingMode: "api-with-fallback",
    header: ["CertNumber", "GradingCompany", "Price", "Notes"],
    cells: ["01020688", "PSA", "", ""],
    createdAt: "2026-11-21T14:00:00.000Z",
    lookUps: [],
    quotes: [],
    lookupHistory: { own: [], colleagues: [], isTwiceOpen: false },
    ...fields,
  };
}

const KIMS: Entry = {
  by: "Kim",
  at: "2026-11-20T14:00:33.000Z",
  card: { itemName: "Pikachu", year: "", brand: "", cardNumber: "", grade: "", population: null },
};

test("a card whose API failed and whose page answered, with all details", () => {
  const provenance = aProvenance({
    row: aFoundRow({
      id: "4711",
      sessionId: "0b5f6d1e",
      line: 12,
      certNumber: "01020688",
      certUrl: "https://www.psacard.com/cert/01020688/psa",
      imageUrl: "https://images.example/front.jpg?key=secret",
      imageUrlBack: "N/A",
      imageFlags: ["one_side"],
      population: 1204,
      populationHigher: 12,
      populationAsOf: "2026-11-21T14:00:33.000Z",
      warnings: ["The apostrophe before the number was taken away"],
      mismatches: ["Year: 1990 in the sheet, 1989 at PSA"],
    }),
    header: ["CertNumber", "GradingCompany", "", "Notes"],
    cells: ["'1020688\u00a0", "psa", "120", " by hand", "Box 3"],
    lookUps: [
      {
        kind: "fresh",
        at: "2026-11-21T14:00:01.250Z",
        source: "api",
        durationMs: 30_012,
        outcome: "timeout",
        message: "PSA's API did not answer in 30 s",
      },
      {
        kind: "fresh",
        at: "2026-11-21T14:00:33.000Z",
        source: "page",
        durationMs: 1_240,
        outcome: "found",
        message: "",
      },
      { kind: "cached", at: "2026-11-21T15:00:00.000Z", source: "page", fetchedAt: "2026-11-21T14:00:33.000Z" },
      { kind: "duplicate", at: "2026-11-21T15:10:00.000Z", line: 40 },
      {
        kind: "cached",
        at: "2026-11-21T15:20:00.000Z",
        source: "hand",
        fetchedAt: "2026-11-20T14:00:33.000Z",
        by: "Kim",
      },
      { kind: "entered", at: "2026-11-21T15:21:00.000Z", by: "Ana Ruiz" },
    ],
    quotes: [
      { source: "cardladder", fetchedAt: "2026-11-20T14:01:00.000Z", estimate: 410, lastSalePrice: 420, message: "" },
      {
        source: "cardsiq",
        fetchedAt: "2026-11-20T14:01:02.000Z",
        estimate: null,
        lastSalePrice: null,
        message: "No price",
      },
      { source: "cardladder", fetchedAt: "2026-11-21T14:01:00.000Z", estimate: 455, lastSalePrice: null, message: "" },
    ],
    lookupHistory: {
      own: [
        {
          resultId: "12",
          sessionId: "1",
          sessionName: "Spring",
          line: 3,
          at: "2026-05-03T12:00:00.000Z",
          source: "cardladder",
          valueThen: 380,
          valueNow: 455,
        },
      ],
      colleagues: [{ by: "Ana Ruiz", at: "2026-05-04T12:00:00.000Z" }],
      isTwiceOpen: true,
    },
  });
  expect(provenanceReport(provenance, NOW)).toBe(`Slabdesk: history of line 12
PSA 01020688 · 1989 Upper Deck #1 Ken Griffey Jr. · MINT 9
Found at PSA.

Line 12 of dallas-show.csv as uploaded
  CertNumber: '1020688⍽
  GradingCompany: psa
  Column 3: 120
  Notes: ·by hand
  Column 5: Box 3
  (⍽ no-break space, · space)

Repaired
  The apostrophe before the number was taken away

Attempts
  1. 2026-11-21 14:00:01 UTC · PSA's API · 30 s · Timed out
     PSA's API did not answer in 30 s
  2. 2026-11-21 14:00:33 UTC · PSA's website · 1.2 s · Found
  3. 2026-11-21 15:00:00 UTC · Saved result · No lookup needed
     From a lookup of Nov 21, 2026 by website
  4. 2026-11-21 15:10:00 UTC · Duplicate · With line 40
     The same cert as line 40; looked up once
  5. 2026-11-21 15:20:00 UTC · Saved result · No lookup needed
     Entered by hand by Kim on Nov 20, 2026
  6. 2026-11-21 15:21:00 UTC · Ana Ruiz · By hand
     Entered the card by hand

Differs from your sheet
  Year: 1990 in the sheet, 1989 at PSA

Images
  Front: https://images.example/front.jpg
  Back: none
  Only the front has an image

Population
  1,204 · 12 higher · as of 2026-11-21 14:00:33 UTC

Price history
  2026-11-20 14:01:00 UTC · CardLadder: estimate $410.00, last sale $420.00
  2026-11-20 14:01:02 UTC · CardsIQ: No price
  2026-11-21 14:01:00 UTC · CardLadder: estimate $455.00
  CardLadder: up 11% since Nov 20, 2026, $410.00 then, $455.00 now

Earlier lookups
  You looked it up on May 3, 2026 in "Spring", $380 then, $455 now
  Looked up by Ana Ruiz on May 4, 2026
  Also in another open session

Reference
  Session 0b5f6d1e "Dallas show" · API with scraping fallback
  Row 4711 · completed · found · uploaded 2026-11-21 14:00:00 UTC
  https://www.psacard.com/cert/01020688/psa
  Copied 2026-11-21 15:30:00 UTC
`);
});

test("a row without lookups has only what it has", () => {
  const row = aRow({
    id: "9",
    line: 2,
    sessionId: "s",
    status: "error",
    outcome: "invalid_row",
    gradingCompany: "",
    certNumber: "",
    error: "Missing CertNumber or GradingCompany",
  });
  expect(provenanceReport(aProvenance({ row, header: ["CertNumber"], cells: [""], processingMode: "scraping" }), NOW))
    .toBe(`Slabdesk: history of line 2
Error:
No cert number. Missing CertNumber or GradingCompany.

Line 2 of dallas-show.csv as uploaded
  CertNumber:

Attempts
  None. No lookup was made.

Reference
  Session s "Dallas show" · Web scraping only
  Row 9 · error · invalid_row · uploaded 2026-11-21 14:00:00 UTC
  Copied 2026-11-21 15:30:00 UTC
`);
});

test.each([
  [aRow(), true, "In PSA's queue. Not looked up yet."],
  [aRow(), false, "Not looked up, because the session was stopped. Resume the session to look it up."],
  [aRow({ status: "processing" }), true, "Looking up at PSA now."],
  [
    aRow({ status: "queued", error: "PSA did not answer in 30 s" }),
    true,
    "PSA did not answer in 30 s. Retried automatically, up to three times.",
  ],
  [
    aRow({ status: "waiting", outcome: "blocked", error: "PSA's pages refuse to be read" }),
    true,
    "Waiting. PSA's pages refuse to be read. Resumes automatically.",
  ],
  [aFoundRow({ source: "known" }), false, "Found in an earlier lookup."],
  [aFoundRow({ source: "hand", entry: KIMS }), false, "Entered by hand by Kim on Nov 20, 2026."],
  [aFoundRow({ source: "known", entry: KIMS }), false, "Saved result, entered by hand by Kim on Nov 20, 2026."],
  [
    aRow({ status: "failed", outcome: "timeout", error: "Retry failed: no answer" }),
    false,
    "Retry Failed. Retry failed: no answer.",
  ],
])("the state as text, case %#", (row, isRunning, message) => {
  const [, , state] = provenanceReport(aProvenance({ row }), { ...NOW, isRunning }).split("\n");
  expect(state).toBe(message);
});
