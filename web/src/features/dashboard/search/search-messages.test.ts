import type { FoundRow } from "@slabdesk/contract/api/search.ts";
import { expect, test } from "vitest";
import { aRow } from "../../../run/row-factory.test-data.ts";
import { countWords, foundLabel, newestOnlyMessage, ownerMessage, soughtIn, thenMessage } from "./search-messages.ts";

const found = (fields: Partial<FoundRow>): FoundRow => ({
  ...aRow(),
  sessionName: "Dallas show",
  values: { source: null, valueThen: null, valueNow: null },
  ...fields,
});

test("how many there are, and that fifty are not all there may be", () => {
  const rows = (count: number): FoundRow[] => Array.from({ length: count }, () => found({}));
  expect([1, 12, 50].map((count) => countWords({ results: rows(count) }))).toEqual([
    "1 result",
    "12 results",
    "The 50 newest results",
  ]);
});

test("a search that could not look through everything says so", () => {
  expect(newestOnlyMessage({ newestOnly: null })).toBeNull();
  expect(newestOnlyMessage({ newestOnly: 20_000 })).toBe(
    "Only the newest 20,000 rows were searched. Three letters or digits in a row search all of them.",
  );
});

test("a result goes by its card, by SPEC's label, or by its number before anything is known", () => {
  expect(foundLabel(found({ itemName: "1989 Upper Deck #1" }))).toBe("1989 Upper Deck #1");
  expect(foundLabel(found({ itemName: null, status: "error", certNumber: "99999990" }))).toBe("Error: 99999990");
  expect(foundLabel(found({ itemName: null, status: "pending", gradingCompany: "TAG", certNumber: "K1" }))).toBe(
    "TAG K1",
  );
});

test("whose it is stands at others' results only", () => {
  const own = "ana@example.com";
  expect(ownerMessage(found({}), own)).toBeNull();
  expect(ownerMessage(found({ owner: { email: own, fullName: "Ana Ruiz" } }), own)).toBeNull();
  expect(ownerMessage(found({ owner: { email: "ben@example.com", fullName: "Ben Ito" } }), own)).toBe("Ben Ito");
  expect(ownerMessage(found({ owner: { email: "ben@example.com", fullName: " " } }), own)).toBe("ben@example.com");
});

test("a result says when it was looked up, and what it was worth then and is now", () => {
  const nowMs = new Date(2026, 10, 21).getTime();
  const values = { source: "cardladder", valueThen: 410, valueNow: 455 } as const;
  const processedAt = new Date(2026, 4, 3, 12).toISOString();
  expect(thenMessage(found({ processedAt, values }), nowMs)).toBe("3 May, $410 then, $455 now");
  expect(thenMessage(found({ processedAt }), nowMs)).toBe("3 May");
  expect(thenMessage(found({ processedAt: null }), nowMs)).toBe("");
});

test.each([
  ["  tigers team ", "tigers team"],
  ["100%", "100%"],
  ["https://my.taggrading.com/card/C1240631", "C1240631"],
  ["https://www.psacard.com/cert/98174651/psa", "98174651"],
  ["https://example.com/cert/1", "https://example.com/cert/1"],
])("%j looks for %j", (text, sought) => {
  expect(soughtIn(text)).toBe(sought);
});
