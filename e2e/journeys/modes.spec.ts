import { expectCgc, RECORDED_CGC } from "../golden/cgc-cards.ts";
import type { ExpectedCard } from "../golden/expected-card.ts";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { expectPsaByApi, expectPsaByPage, RECORDED_PSA } from "../golden/psa-cards.ts";
import { expectTagByApi, expectTagByPage, RECORDED_TAG } from "../golden/tag-cards.ts";
import { expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

const TAGS = RECORDED_TAG.slice(0, 8);
const SHEET = sheetFile("recorded.csv", [
  ...RECORDED_PSA.map((cert) => [cert, "PSA", "20", ""]),
  ...RECORDED_CGC.map((cert) => [cert, "CGC", "20", ""]),
  ...TAGS.map((cert) => [cert, "TAG", "20", "Seen in Dallas"]),
]);
const ROW_COUNT = RECORDED_PSA.length + RECORDED_CGC.length + TAGS.length;

/** Looks every card up again, whatever is known of it. */
async function run(screen: Screen, mode: string): Promise<string> {
  await screen.chooseFile(SHEET);
  await screen.page.getByRole("radio", { name: mode }).check();
  await screen.page.getByRole("checkbox", { name: "Reuse cards already looked up" }).uncheck();
  await screen.processButton.click();
  await expect(screen.sessionCard).toContainText(`${ROW_COUNT} / ${ROW_COUNT}`, { timeout: 45_000 });
  await expect(screen.sessionCard).toContainText("completed");
  return screen.sessionId();
}

type Source = "api" | "page";
type Expected = ExpectedCard & { source: Source };

async function expectAll(
  origin: string,
  from: { PSA: Source; CGC: Source; TAG: Source },
): Promise<Map<string, Expected>> {
  const psa = from.PSA === "api" ? expectPsaByApi : expectPsaByPage;
  const tag = from.TAG === "api" ? expectTagByApi : expectTagByPage;
  const cards: Expected[] = [];
  for (const cert of RECORDED_PSA) cards.push({ ...(await psa(cert, origin)), source: from.PSA });
  for (const cert of RECORDED_CGC) cards.push({ ...expectCgc(cert, origin), source: from.CGC });
  for (const cert of TAGS) cards.push({ ...(await tag(cert, origin)), source: from.TAG });
  return new Map(cards.map((card) => [card.certNumber, card]));
}

test("Web scraping only: PSA and CGC as their pages print them, of TAG the link and the photos", async ({
  signedIn,
  office,
  upstream,
}) => {
  upstream.calls.clear();
  const sessionId = await run(new Screen(signedIn), "Web scraping only");
  expect(["psa-api", "cgc-api", "tag-api"].map((door) => upstream.calls.total(door as "psa-api"))).toEqual([0, 0, 0]);

  const expected = await expectAll(upstream.origin, { PSA: "page", CGC: "page", TAG: "page" });
  const results = await office.results(sessionId);
  expect(results).toHaveLength(ROW_COUNT);
  for (const row of results) {
    expect(row).toMatchObject({ status: "completed", outcome: "found", ...expected.get(row.certNumber) });
  }
  const tag = results.find((row) => row.certNumber === "C1240631");
  expect(tag?.notes).toMatch(/^Seen in Dallas · TAG's page shows its details in a browser only/);
  expect(tag?.notes).toContain("The slab photos were found.");

  // A page without the row prints no category, and nothing is made up for it.
  expect(results.find((row) => row.certNumber === "158363091")?.sport).toBe("N/A");
});

test("API only: no page is read", async ({ signedIn, office, upstream }) => {
  upstream.calls.clear();
  const sessionId = await run(new Screen(signedIn), "API only");
  expect(["psa-web", "cgc-web", "tag-web"].map((door) => upstream.calls.total(door as "psa-web"))).toEqual([0, 0, 0]);

  const expected = await expectAll(upstream.origin, { PSA: "api", CGC: "api", TAG: "api" });
  for (const row of await office.results(sessionId)) {
    expect(row).toMatchObject({ status: "completed", ...expected.get(row.certNumber) });
  }
});

test("API with scraping fallback: when an API is down its pages are read, the others are asked as ever", async ({
  signedIn,
  office,
  upstream,
}) => {
  upstream.behavior.fail("psa-api", "server_error");
  upstream.behavior.fail("tag-api", "quota");
  const sessionId = await run(new Screen(signedIn), "API with scraping fallback");
  upstream.behavior.heal();

  const expected = await expectAll(upstream.origin, { PSA: "page", CGC: "api", TAG: "page" });
  for (const row of await office.results(sessionId)) {
    expect(row).toMatchObject({ status: "completed", ...expected.get(row.certNumber) });
  }
});

test("a card that is known already is not asked for again, unless that is wanted", async ({
  signedIn,
  office,
  upstream,
}) => {
  const screen = new Screen(signedIn);
  const sheet = sheetFile("again.csv", [
    ["1401036524258", "CGC", "", ""],
    ["C1240631", "TAG", "", ""],
  ]);
  await screen.process(sheet);
  await expect(screen.sessionCard).toContainText("2 done");
  upstream.calls.clear();

  await screen.process(sheet);
  await expect
    .poll(async () => (await office.results(await screen.sessionId())).map((row) => row.source))
    .toEqual(["known", "known"]);
  expect(upstream.calls.list().filter(({ door }) => !door.endsWith("-images"))).toEqual([]);
  const known = await office.results(await screen.sessionId());
  expect(known[0]).toMatchObject(expectCgc("1401036524258", upstream.origin));
  expect(known[1]).toMatchObject(await expectTagByApi("C1240631", upstream.origin));

  upstream.calls.clear();
  await screen.chooseFile(sheet);
  await signedIn.getByRole("checkbox", { name: "Reuse cards already looked up" }).uncheck();
  await screen.processButton.click();
  await expect
    .poll(async () => (await office.results(await screen.sessionId())).map((row) => row.source))
    .toEqual(["api", "api"]);
  expect(upstream.calls.count({ door: "tag-api", cert: "C1240631" })).toBe(1);
});
