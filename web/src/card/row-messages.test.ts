import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { expect, test } from "vitest";
import { aFoundRow, aRow } from "../run/row-factory.test-data.ts";
import { canEdit, canRetry } from "@slabdesk/contract/review/row-state.ts";
import { canSwap, rowTitle, rowMessage } from "./row-messages.ts";

const error = (fields: Partial<ResultRow>): ResultRow => aRow({ status: "error", ...fields });

test.each<[string, ResultRow, { tone: string; label: string | null; hint: string | null }]>([
  ["pending", aRow(), { tone: "idle", label: "In PSA's queue", hint: null }],
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
    "waiting",
    aRow({ status: "waiting", outcome: "blocked", error: "PSA's pages refuse to be read" }),
    { tone: "warn", label: "Waiting", hint: "PSA's pages refuse to be read" },
  ],
  [
    "completed_retry",
    aFoundRow({ status: "completed_retry" }),
    { tone: "good", label: "Completed (Retried)", hint: null },
  ],
  [
    "failed",
    aRow({ status: "failed", outcome: "timeout" }),
    { tone: "bad", label: "Retry Failed", hint: "The number may be fine" },
  ],
  [
    "not found",
    error({ outcome: "not_found" }),
    { tone: "bad", label: "Not found at PSA", hint: "Check the number on the slab" },
  ],
  [
    "blocked",
    error({ outcome: "blocked", gradingCompany: "CGC" }),
    { tone: "bad", label: "CGC blocked the request", hint: "Retry later, or enter the card by hand" },
  ],
  [
    "incomplete",
    error({ outcome: "invalid_row", gradingCompany: "", error: "Missing CertNumber or GradingCompany" }),
    { tone: "bad", label: "No grading company", hint: "Choose it with Edit number" },
  ],
  [
    "without a number",
    error({ outcome: "invalid_row", certNumber: "" }),
    { tone: "bad", label: "No cert number", hint: "Type it from the slab's label" },
  ],
  [
    "of an unknown company",
    error({ outcome: "invalid_row", gradingCompany: "BGS", error: "Unsupported grading company: BGS" }),
    { tone: "bad", label: "Unknown grading company", hint: "Unsupported grading company: BGS" },
  ],
  [
    "a total",
    error({ outcome: "invalid_number", certNumber: "Grand Total:" }),
    { tone: "bad", label: "Skipped: total row", hint: "This line is not a card" },
  ],
  [
    "an outage",
    error({ outcome: "unavailable" }),
    { tone: "bad", label: "PSA was down", hint: "The number may be fine" },
  ],
  [
    "damaged",
    error({ outcome: "invalid_number", error: "digits are lost" }),
    { tone: "bad", label: "Invalid number", hint: "digits are lost" },
  ],
])("a row that is %s says so", (_name, row, expected) => {
  expect(rowMessage(row, true)).toMatchObject(expected);
});

test("a pending row of a stopped session does not claim to be next", () => {
  expect(rowMessage(aRow(), false).label).toBe("Not looked up");
});

test("a waiting row says until when", () => {
  const until = new Date();
  until.setHours(23, 59, 0, 0);
  const row = aRow({ status: "waiting", outcome: "quota_exhausted", waitingUntil: until.toISOString() });
  expect(rowMessage(row, true)).toMatchObject({ label: "Waiting until 11:59 PM", hint: "Resumes automatically" });
});

test.each([
  ["not_found", true, true],
  ["invalid_number", true, false],
  ["invalid_row", true, false],
  ["timeout", false, true],
  ["unavailable", false, true],
  ["not_configured", false, true],
  [null, false, true],
] as const)("a row that failed with %s: edit %s, retry %s", (outcome, isEditable, isRetryable) => {
  const row = error({ outcome });
  expect([canEdit(row), canRetry(row)]).toEqual([isEditable, isRetryable]);
});

test("a row that did not fail is neither edited nor retried", () => {
  for (const row of [aRow(), aFoundRow(), aRow({ status: "waiting", outcome: "quota_exhausted" })])
    expect([canEdit(row), canRetry(row)]).toEqual([false, false]);
});

test("rows without a card have the specified labels", () => {
  expect(rowTitle(error({ certNumber: "99999990" }))).toBe("Error: 99999990");
  expect(rowTitle(aRow({ status: "queued" }))).toBe("Queued: 01020688");
  expect(rowTitle(aRow({ status: "waiting" }))).toBe("Waiting: 01020688");
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
