import { populationOf } from "../card-text.ts";
import type { ClientParts, LookUp } from "../grader.ts";
import { readPage } from "../page-reading.ts";
import { blocked, noAnswer, noSuchCert, otherCert, pageRefusal } from "../upstream-answers.ts";
import { mapCgcCard } from "./map.ts";

const CGC_PAGE = { company: "CGC", part: "page" } as const;

export function createCgcPage({ endpoint, settings, now }: ClientParts<"CGC_WEB_URL">): LookUp {
  return async (certNumber) => {
    const answer = await endpoint({ url: `${settings.CGC_WEB_URL}/certlookup/${encodeURIComponent(certNumber)}/` });
    if (answer.kind !== "answered") return noAnswer(CGC_PAGE, answer);
    if (answer.status !== 200) return pageRefusal(CGC_PAGE, certNumber, answer, now());
    const reading = await readPage("CGC", answer.text);
    if (!reading.ok) return reading.outcome;
    const record = reading.value;
    if (record === "nothing") return blocked(CGC_PAGE, answer);
    if (record === "not_found") return noSuchCert("CGC", certNumber);
    if (record.certNumber !== certNumber) return otherCert("CGC", certNumber, record.certNumber);
    const population = populationOf(record.population, now());
    const card = { ...mapCgcCard(certNumber, record.facts, record.images), ...population };
    return { code: "found", source: "page", card, notes: "", complete: true };
  };
}
