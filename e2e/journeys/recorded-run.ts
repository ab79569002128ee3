import { expectCgc, RECORDED_CGC } from "../golden/cgc-cards.ts";
import type { ExpectedCard } from "../golden/expected-card.ts";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { expectPsaByApi, expectPsaByPage, RECORDED_PSA } from "../golden/psa-cards.ts";
import { expectTagByApi, expectTagByPage, RECORDED_TAG } from "../golden/tag-cards.ts";

const TAGS = RECORDED_TAG.slice(0, 8);
export const RECORDED_SHEET = sheetFile("recorded.csv", [
  ...RECORDED_PSA.map((cert) => [cert, "PSA", "20", ""]),
  ...RECORDED_CGC.map((cert) => [cert, "CGC", "20", ""]),
  ...TAGS.map((cert) => [cert, "TAG", "20", "Seen in Dallas"]),
]);
export const ROW_COUNT = RECORDED_PSA.length + RECORDED_CGC.length + TAGS.length;

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
