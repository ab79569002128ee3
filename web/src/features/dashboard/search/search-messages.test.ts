import type { FoundRow } from "@slabdesk/contract/api/search.ts";
import { expect, test } from "vitest";
import { aRow } from "../../../run/row-factory.test-data.ts";
import { countMessage, foundLabel, newestOnlyMessage, ownerMessage, soughtIn, thenMessage } from "./search-messages.ts";

const found = (fields: Partial<FoundRow>): FoundRow => ({
  ...aRow(),
  sessionName: "Dallas show",
  values: { source: null, valueThen: null, valueNow: null },
  ...fields,
});

test("says how many results there are, and that fifty may not be all", () => {
  const rows = (count: number): FoundRow[] => Array.from({ length: count }, () => found({}));
  expect([1, 12, 50].map((count) => countMessage({ results: rows(count) }))).toEqual([
    "1 result",
    "12 results",
    "The 50 newest results",
  ]);
});

test("says so if a search covered only the newest rows", () => {
  expect(newestOnlyMessage({ newestOnly: null })).toBeNull();
  expect(newestOnlyMessage({ newestOnly: 20_000 })).toBe(
    "Only the newest 20,000 rows were searched. Type at least three letters or digits in a row to search all of them.",
  );
});

test("a result is titled with its card, a specified label, or its number", () => {
  expect(foundLabel(found({ itemName: "1989 Upper Deck #1" }))).toBe("1989 Upper Deck #1");
  expect(foundLabel(found({ itemName: null, status: "error", certNumber: "99999990" }))).toBe("Error: 99999990");
  expect(foundLabel(found({ itemName: null, status: "pending", gradingCompany: "TAG", certNumber: "K1" }))).toBe(
    "TAG K1",
  );
});

test("only other people's results show their owner", () => {
  const own = "ana@example.com";
  expect(ownerMessage(found({}), own)).toBeNull();
  expect(ownerMessage(found({ owner: { email: own, fullName: "Ana Ruiz" } }), own)).toBeNull();
  expect(ownerMessage(found({ owner: { email: "ben@example.com", fullName: "Ben Ito" } }), own)).toBe("Ben Ito");
  expect(ownerMessage(found({ owner: { email: "ben@example.com", fullName: " " } }), own)).toBe("ben@example.com");
});

test("a result says when it was looked up, and its first and current price", () => {
  const values = { source: "cardladder", valueThen: 410, valueNow: 455 } as const;
  const processedAt = new Date(2026, 4, 3, 12).toISOString();
  expect(thenMessage(found({ processedAt, values }))).toBe("May 3, 2026, $410 then, $455 now");
  expect(thenMessage(found({ processedAt }))).toBe("May 3, 2026");
  expect(thenMessage(found({ processedAt: null }))).toBe("");
});

test.each([
  ["  tigers team ", "tigers team"],
  ["100%", "100%"],
  ["https://my.taggrading.com/card/C1240631", "C1240631"],
  ["https://www.psacard.com/cert/98174651/psa", "98174651"],
  ["https://example.com/cert/1", "https://example.com/cert/1"],
])("%j searches for %j", (text, sought) => {
  expect(soughtIn(text)).toBe(sought);
});
