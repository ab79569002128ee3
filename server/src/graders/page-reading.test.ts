import { expect, test, vi } from "vitest";
import { createPageReading } from "./page-reading.ts";

const CERT = "153420191";
const RECORD = `<dl><dt>Cert Number</dt><dd>${CERT}</dd><dt>Item Grade</dt><dd>GEM MT 10</dd></dl>`;
const UNREADABLE = { ok: false, outcome: { code: "unavailable", message: "CGC's page could not be read" } };

test.each([
  ["attributes", `<p ${Array.from({ length: 700_000 }, (_, n) => `a${n}`).join(" ")}>`],
  ["nested divisions", "<div>".repeat(1_000_000)],
])("a page of %s takes no longer than the deadline", async (_what, html) => {
  const read = createPageReading(1_000);
  // On a busy machine, the process may need several deadlines to start.
  await vi.waitUntil(async () => (await read("PSA", RECORD, [])).ok, { timeout: 40_000 });
  expect(await read("CGC", html)).toMatchObject(UNREADABLE);
});

test("a page that needs too much memory doesn't keep the next one from being read", async () => {
  const read = createPageReading(50_000);
  const outcome = { ...UNREADABLE.outcome, cause: { message: "The process ended before it answered" } };
  expect(await read("CGC", "<br>".repeat(1_000_000))).toMatchObject({ ok: false, outcome });
  expect(await read("PSA", RECORD, [])).toMatchObject({ ok: true, value: { certNumber: CERT } });
});
