import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { expect, test } from "vitest";
import { aFoundRow, aRow } from "./row-factory.test-data.ts";
import { canSwap, rowTitle, rowWords } from "./row-words.ts";

const error = (fields: Partial<ResultRow>): ResultRow => aRow({ status: "error", ...fields });

test.each<[string, ResultRow, { tone: string; label: string | null; hint: string | null }]>([
  ["pending", aRow(), { tone: "idle", label: "Next at PSA", hint: null }],
  [
    "processing",
    aRow({ status: "processing", gradingCompany: "TAG" }),
    { tone: "busy", label: "Looking up at TAG…", hint: null },
  ],
  ["completed", aFoundRow(), { tone: "plain", label: null, hint: null }],
  [
    "queued",
    aRow({ status: "queued", error: "PSA did not answer in 30 s" }),
    { tone: "warn", label: "Queued - Retrying...", hint: "PSA did not answer in 30 s" },
  ],
  [
    "completed_retry",
    aFoundRow({ status: "completed_retry" }),
    { tone: "good", label: "Completed (Retried)", hint: null },
  ],
  [
    "failed",
    aRow({ status: "failed", outcome: "timeout" }),
    { tone: "bad", label: "Retry Failed", hint: "No answer in time; the number may be right" },
  ],
  [
    "not found",
    error({ outcome: "not_found" }),
    { tone: "bad", label: "Not found at PSA", hint: "Check the number on the slab" },
  ],
  [
    "blocked",
    error({ outcome: "blocked", gradingCompany: "CGC" }),
    { tone: "bad", label: "Blocked at CGC", hint: "The page refused to be read" },
  ],
  [
    "incomplete",
    error({ outcome: "invalid_row", gradingCompany: "", error: "Missing CertNumber or GradingCompany" }),
    { tone: "bad", label: "Row incomplete", hint: "Missing CertNumber or GradingCompany" },
  ],
  [
    "damaged",
    error({ outcome: "invalid_number", error: "digits are lost" }),
    { tone: "bad", label: "Number damaged", hint: "digits are lost" },
  ],
])("a row that is %s says so", (_name, row, expected) => {
  expect(rowWords(row, true)).toMatchObject(expected);
});

test("a pending row of a stopped session does not claim to be next", () => {
  expect(rowWords(aRow(), false).label).toBe("Not looked up");
});

test("rows without a card go by SPEC's labels", () => {
  expect(rowTitle(error({ certNumber: "99999990" }))).toBe("Error: 99999990");
  expect(rowTitle(aRow({ status: "queued" }))).toBe("Queued: 01020688");
  expect(rowTitle(aFoundRow())).toBe("1989 Upper Deck #1 Ken Griffey Jr.");
  expect(rowTitle(aRow())).toBeNull();
});

test.each([
  ["a", "b", true],
  ["a", "a", false],
  ["a", "N/A", false],
  ["N/A", "b", false],
  [null, "b", false],
  ["a", null, false],
  ["", "b", false],
])("images %j and %j can be swapped: %j", (imageUrl, imageUrlBack, expected) => {
  expect(canSwap({ imageUrl, imageUrlBack })).toBe(expected);
});
