import { enter, expect, test } from "../journey.ts";
import { amount } from "../../scripts/test-form.ts";
import { letEachLaneAsk } from "./lanes.ts";
import { Screen } from "./screen.ts";

const CARDS = amount({ short: 24, long: 300 });
/**
 * Calls that each grader answers before the server is killed. A PSA card takes two calls, any other card one. A server
 * that has just started makes one more call to log in at CGC.
 */
const CALLS = 4;
const DONE_BEFORE_KILL = /\b(?:9|10) done/;
const CALLS_AFTER_KILL = 10;
const DONE_AFTER_KILL = /\b1[1-9] done/;

/** Unique numbers of all three companies. */
function sheetOf(count: number): Buffer {
  const lines = Array.from({ length: count }, (_, n) => {
    if (n % 3 === 0) return `${30_000_000 + n},PSA`;
    return n % 3 === 1 ? `${1_401_000_000_000 + n},CGC` : `B${String(1_000_000 + n)},TAG`;
  });
  return Buffer.from(`CertNumber,GradingCompany\r\n${lines.join("\r\n")}\r\n`);
}

test("a run continues after its tab is closed and its server is killed; open and new tabs show its end", async ({
  page,
  context,
  started: { product, kill, startAgain },
  adminApi,
  person,
  upstream,
  browserErrors,
  otherBrowser,
}) => {
  // On a busy machine, a server that has just started may be too busy to answer at first.
  browserErrors.expect(/503 /);
  // The open tabs ask the killed server.
  browserErrors.expect(/ERR_(?:CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|CONNECTION_RESET) /);
  const callsBefore = upstream.calls.total("cgc-api") + upstream.calls.total("tag-api");
  upstream.gate.hold();
  await enter(page, product, person);
  const before = new Screen(page);
  await before.process({ name: "box.csv", mimeType: "text/csv", buffer: sheetOf(CARDS) });
  await letEachLaneAsk(upstream, CALLS);
  await expect(before.sessionCard).toContainText(DONE_BEFORE_KILL);
  const sessionId = await before.sessionId();
  const open = new Screen(await context.newPage());
  await open.page.goto(`/?tab=dashboard&session=${sessionId}`);
  const watched = open.page.getByRole("region", { name: "Chosen session" });
  await expect(watched).toContainText("processing");
  const visitor = await otherBrowser();
  await visitor.goto("/");
  await expect(new Screen(visitor).email).toBeVisible();
  await page.close();

  await kill();
  const lost = "Connection lost. Reconnecting… Your run continues on the server.";
  await expect(open.page.getByText(lost)).toBeVisible();
  await expect(visitor.getByText(lost)).toBeVisible();
  await startAgain();
  await expect(open.page.getByText(lost)).toBeHidden();
  await visitor.close();

  const second = await context.newPage();
  await second.goto("/");
  const during = new Screen(second);
  await expect(during.sessionCard).toContainText("box.csv");
  await expect(during.sessionCard).toContainText("processing");
  // At most three of these answers go to the killed server.
  upstream.gate.release(CALLS_AFTER_KILL);
  await expect(during.sessionCard).toContainText(DONE_AFTER_KILL);
  await second.close();

  await expect(watched).toContainText(/1[1-9] \/ /);
  upstream.gate.open();
  await expect(watched).toContainText(`${CARDS} / ${CARDS} cards`);
  await expect(watched).toContainText("completed");
  expect((await adminApi.session(sessionId)).status).toBe("completed");
  const third = await context.newPage();
  await third.goto("/");
  const after = new Screen(third);
  await expect(after.sessionCard).toContainText("box.csv");
  await expect(after.sessionCard).toContainText(`${CARDS} / ${CARDS}`);
  await expect(after.sessionCard).toContainText("completed");
  const rows = await adminApi.results(sessionId);
  expect(rows.map((row) => [row.line, row.status])).toEqual(
    Array.from({ length: CARDS }, (_, n) => [n + 2, "completed"]),
  );
  // Only the cards in flight at the kill, one per company, may be requested twice.
  const calls = upstream.calls.total("cgc-api") + upstream.calls.total("tag-api") - callsBefore;
  expect(calls).toBeLessThanOrEqual((CARDS * 2) / 3 + 4);
});
