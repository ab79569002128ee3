import { expectCgc, RECORDED_CGC } from "../golden/cgc-cards.ts";
import type { ExpectedCard } from "../golden/expected-card.ts";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { expectPsaByApi, expectPsaByPage, RECORDED_PSA } from "../golden/psa-cards.ts";
import { expectTagByApi, expectTagByPage, RECORDED_TAG } from "../golden/tag-cards.ts";
import { expect } from "../journey.ts";
import type { Office } from "../product/office.ts";
import type { Screen } from "./screen.ts";

const TAGS = RECORDED_TAG.slice(0, 8);
const SHEET = sheetFile("recorded.csv", [
  ...RECORDED_PSA.map((cert) => [cert, "PSA", "20", ""]),
  ...RECORDED_CGC.map((cert) => [cert, "CGC", "20", ""]),
  ...TAGS.map((cert) => [cert, "TAG", "20", "Seen in Dallas"]),
]);
export const ROW_COUNT = RECORDED_PSA.length + RECORDED_CGC.length + TAGS.length;

/** Looks every card up again, whatever is known of it. */
export async function runRecorded(screen: Screen, office: Office, mode: string): Promise<string> {
  const before = await screen.rememberedSession();
  await screen.chooseFile(SHEET);
  await screen.page.getByRole("radio", { name: mode }).check();
  await screen.page.getByRole("checkbox", { name: "Reuse cards already looked up" }).uncheck();
  await screen.processButton.click();
  await expect.poll(() => screen.rememberedSession()).not.toBe(before);
  const sessionId = await screen.sessionId();
  await expect.poll(async () => (await office.session(sessionId)).status).toBe("completed");
  await expect(screen.sessionCard).toContainText(`${ROW_COUNT} / ${ROW_COUNT}`);
  await expect(screen.sessionCard).toContainText("completed");
  return sessionId;
}

type Source = "api" | "page";
type Expected = ExpectedCard & { source: Source };

export async function expectAll(
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
