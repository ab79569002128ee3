import { expect, test } from "vitest";
import { createPageReading } from "./page-reading.ts";

const CERT = "153420191";
const RECORD = `<dl><dt>Cert Number</dt><dd>${CERT}</dd><dt>Item Grade</dt><dd>GEM MT 10</dd></dl>`;
const UNREADABLE = { ok: false, outcome: { code: "unavailable", message: "CGC's page could not be read" } };

test.each([
  ["attributes", `<p ${Array.from({ length: 700_000 }, (_, n) => `a${n}`).join(" ")}>`],
  ["nested divisions", "<div>".repeat(1_000_000)],
])("a page of %s takes no longer than the deadline", async (_what, html) => {
  expect(await createPageReading(1_000)("CGC", html)).toMatchObject(UNREADABLE);
});

test("a page that needs too much memory doesn't keep the next one from being read", async () => {
  const read = createPageReading(20_000);
  expect(await read("CGC", "<br>".repeat(1_000_000))).toMatchObject(UNREADABLE);
  expect(await read("PSA", RECORD, [])).toMatchObject({ ok: true, value: { certNumber: CERT } });
});
