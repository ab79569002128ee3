import type { Config } from "../../config.ts";
import type { Endpoint } from "../../upstreams/endpoint.ts";
import { loadPage, readPairs, valueOf } from "../html-records.ts";
import type { PrintedRecord } from "../html-records.ts";
import type { Pictures } from "../card-text.ts";
import type { Outcome } from "../grader.ts";
import { blocked, noAnswer, otherCert, pageRefusal } from "../upstream-answers.ts";
import type { Answered } from "../upstream-answers.ts";
import { mapPsaCard } from "./map.ts";
import type { PsaFacts } from "./map.ts";
import { findPagePictures } from "./page-pictures.ts";

export type PsaPageParts = {
  endpoint: Endpoint;
  settings: Pick<Config, "PSA_WEB_URL" | "IMAGE_HOSTS">;
  now: () => Date;
};

const PSA_PAGE = { company: "PSA", part: "page" } as const;

/** Reads PSA's public certificate page in its current layout and the one until 2023. One call per card. */
export function createPsaPage({ endpoint, settings, now }: PsaPageParts): (certNumber: string) => Promise<Outcome> {
  function readAnswer(answer: Answered, certNumber: string): Outcome {
    if (answer.status !== 200) return pageRefusal(PSA_PAGE, certNumber, answer, now());
    const reading = readPsaPage(answer.text, settings.IMAGE_HOSTS ?? []);
    if (reading === null) return blocked(PSA_PAGE, answer);
    if (reading.certNumber !== certNumber) return otherCert("PSA", certNumber, reading.certNumber);
    const card = mapPsaCard(certNumber, reading.facts, reading.pictures);
    return { code: "found", source: "page", card, notes: "", complete: true };
  }

  return async (certNumber) => {
    const answer = await endpoint({ url: `${settings.PSA_WEB_URL}/cert/${encodeURIComponent(certNumber)}/psa` });
    return answer.kind === "answered" ? readAnswer(answer, certNumber) : noAnswer(PSA_PAGE, answer);
  };
}

type PsaPageReading = { certNumber: string; facts: PsaFacts; pictures: Pictures };

/**
 * Reads the record of a page; null if it shows none, for example a Cloudflare or PSA block page. The first record is
 * the certificate's own. "Sales of Similar Items" below it lists other people's.
 */
export function readPsaPage(html: string, imageHosts: readonly string[]): PsaPageReading | null {
  const $ = loadPage(html);
  if ($ === null) return null;
  const lists = $("dl")
    .toArray()
    .map((list) => ({ element: list, record: readPairs($, $(list), "dt", "dd") }));
  const tables = $("table")
    .toArray()
    .map((table) => ({ element: table, record: readPairs($, $(table), "th", "td") }));
  for (const { element, record } of [...lists, ...tables]) {
    const certNumber = valueOf(record, "cert number", "certification number");
    const facts = factsOf(record);
    const hasFacts = Object.values(facts).some((value) => value !== null);
    if (certNumber !== null && hasFacts) {
      return { certNumber, facts, pictures: findPagePictures($, $(element), imageHosts) };
    }
  }
  return null;
}

/** The current label comes first, then the one of the layout until 2023. */
function factsOf(record: PrintedRecord): PsaFacts {
  return {
    year: valueOf(record, "year"),
    brand: valueOf(record, "brand/title", "brand"),
    cardNumber: valueOf(record, "card number"),
    subject: valueOf(record, "subject", "player"),
    variety: valueOf(record, "variety/pedigree"),
    category: valueOf(record, "category", "sport"),
    grade: valueOf(record, "item grade", "grade"),
  };
}
