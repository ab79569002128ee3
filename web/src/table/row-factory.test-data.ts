import type { ResultRow } from "@slabdesk/contract/api/results.ts";

/** A pending PSA row; its id follows its line unless given. */
export function aRow(fields: Partial<ResultRow> = {}): ResultRow {
  const line = fields.line ?? 2;
  return {
    id: `row-${line}`,
    sessionId: "session-1",
    line,
    status: "pending",
    outcome: null,
    waitingUntil: null,
    source: null,
    certNumber: "01020688",
    gradingCompany: "PSA",
    itemName: null,
    player: null,
    year: null,
    language: null,
    brand: null,
    cardNumber: null,
    grade: null,
    sport: null,
    variety: null,
    graderNotes: null,
    tagScore: null,
    imageUrl: null,
    imageUrlBack: null,
    certUrl: null,
    price: null,
    priceText: "",
    customerPrice: "0.00",
    inventoryName: null,
    notes: "",
    error: null,
    pricing: null,
    cardsiq: null,
    warnings: [],
    mismatches: [],
    imageFlags: [],
    processedAt: null,
    ...fields,
  };
}

/** A row whose card was found, with both pictures. */
export function aFoundRow(fields: Partial<ResultRow> = {}): ResultRow {
  return aRow({
    status: "completed",
    outcome: "found",
    source: "api",
    itemName: "1989 Upper Deck #1 Ken Griffey Jr.",
    player: "KEN GRIFFEY JR.",
    brand: "UPPER DECK",
    year: "1989",
    grade: "MINT 9",
    imageUrl: "https://images.example/front.jpg",
    imageUrlBack: "https://images.example/back.jpg",
    ...fields,
  });
}
