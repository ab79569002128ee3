import { enter, expect, test } from "../journey.ts";
import { Office } from "../product/office.ts";
import { startProduct } from "../product/product.ts";
import { amount } from "../../scripts/test-form.ts";
import { Screen } from "./screen.ts";

const CARDS = amount({ short: 60, long: 300 });
/** Calls that the graders answer before the server is killed. A PSA card takes two calls, any other card one. */
const CALLS = 50;
const KILLED_AFTER = 25;

/** Numbers of all three companies, none twice. */
function sheetOf(count: number, first = 0): Buffer {
  const lines = Array.from({ length: count }, (_, index) => {
    const n = first + index;
    if (n % 3 === 0) return `${30_000_000 + n},PSA`;
    return n % 3 === 1 ? `${1_401_000_000_000 + n},CGC` : `B${String(1_000_000 + n)},TAG`;
  });
  return Buffer.from(`CertNumber,GradingCompany\r\n${lines.join("\r\n")}\r\n`);
}

test("a run goes on after its tab is closed and its server killed, and ends complete", async ({ browser }) => {
  const logFile = test.info().outputPath("product.log");
  test.info().attachments.push({ name: "product-log", path: logFile, contentType: "text/plain" });
  const { product, stop, killAndStart } = await startProduct({ kind: "simulated", logFile });
  try {
    const { upstream } = product;
    if (upstream === null) throw new Error("The graders are out of reach");
    upstream.gate.hold();
    upstream.gate.letThrough(CALLS);
    const office = await Office.enter(product);
    const person = await office.hire();
    const context = await browser.newContext();
    const first = await context.newPage();
    await enter(first, product, person);
    const before = new Screen(first);
    await before.process({ name: "box.csv", mimeType: "text/csv", buffer: sheetOf(CARDS) });
    await before.sessionCard.waitFor();
    const sessionId = await before.sessionId();
    await expect.poll(async () => (await office.session(sessionId)).processedCards).toBeGreaterThan(KILLED_AFTER);
    await expect.poll(() => upstream.gate.waitingCount).toBeGreaterThan(0);
    const seen = (await office.session(sessionId)).processedCards;
    await first.close();
    await killAndStart();

    const second = await context.newPage();
    await second.goto(product.origin);
    const after = new Screen(second);
    await expect(after.sessionCard).toContainText("box.csv");
    upstream.gate.letThrough(CALLS / 5);
    await expect.poll(async () => (await office.session(sessionId)).processedCards).toBeGreaterThan(seen);
    upstream.gate.open();
    await expect(after.sessionCard).toContainText(`${CARDS} / ${CARDS}`);
    await expect(after.sessionCard).toContainText("completed");
    const rows = await office.results(sessionId);
    expect(rows.map((row) => [row.line, row.status])).toEqual(
      Array.from({ length: CARDS }, (_, n) => [n + 2, "completed"]),
    );
    // The cards in flight at the kill, one a company, are the only ones that may have been asked for again.
    expect(upstream.calls.total("cgc-api") + upstream.calls.total("tag-api")).toBeLessThanOrEqual((CARDS * 2) / 3 + 4);

    // Another run, whose end nobody is there to see: the next tab shows it.
    upstream.gate.hold();
    await after.process({ name: "last.csv", mimeType: "text/csv", buffer: sheetOf(30, CARDS) });
    await expect(after.sessionCard).toContainText("last.csv");
    await expect(after.sessionCard).toContainText("processing");
    const lastId = await after.sessionId();
    await second.close();
    upstream.gate.open();
    await expect.poll(async () => (await office.session(lastId)).status).toBe("completed");
    const third = await context.newPage();
    await third.goto(product.origin);
    await expect(new Screen(third).sessionCard).toContainText("last.csv");
    await expect(new Screen(third).sessionCard).toContainText("30 / 30");
    await context.close();
  } finally {
    await stop();
  }
});
