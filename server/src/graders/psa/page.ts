import { populationOf } from "../card-text.ts";
import type { ClientParts, LookUp } from "../grader.ts";
import { readPage } from "../page-reading.ts";
import { blocked, noAnswer, otherCert, pageRefusal } from "../upstream-answers.ts";
import { mapPsaCard } from "./map.ts";

const PSA_PAGE = { company: "PSA", part: "page" } as const;

/** Reads PSA's public certificate page in its current layout and the one until 2023. One call per card. */
export function createPsaPage({ endpoint, settings, now }: ClientParts<"PSA_WEB_URL" | "IMAGE_HOSTS">): LookUp {
  return async (certNumber) => {
    const answer = await endpoint({ url: `${settings.PSA_WEB_URL}/cert/${encodeURIComponent(certNumber)}/psa` });
    if (answer.kind !== "answered") return noAnswer(PSA_PAGE, answer);
    if (answer.status !== 200) return pageRefusal(PSA_PAGE, certNumber, answer, now());
    const reading = await readPage("PSA", answer.text, settings.IMAGE_HOSTS ?? []);
    if (!reading.ok) return reading.outcome;
    const record = reading.value;
    if (record === null) return blocked(PSA_PAGE, answer);
    if (record.certNumber !== certNumber) return otherCert("PSA", certNumber, record.certNumber);
    const population = populationOf(record.population, now());
    const card = { ...mapPsaCard(certNumber, record.facts, record.images), ...population };
    return { code: "found", source: "page", card, notes: "", complete: true };
  };
}
