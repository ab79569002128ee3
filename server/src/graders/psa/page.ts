import type { CheerioAPI } from "cheerio";
import {
  elementsOf,
  labelKey,
  loadPage,
  readPairs,
  valueOf,
  type Elements,
  type PrintedRecord,
} from "../html-records.ts";
import { foldText, type Pictures, type Text } from "../card-text.ts";
import type { ClientParts, LookUp, Outcome } from "../grader.ts";
import { blocked, noAnswer, otherCert, pageRefusal, type Answered } from "../upstream-answers.ts";
import { populationOf } from "../population.ts";
import { mapPsaCard, type PsaFacts } from "./map.ts";
import { findPagePictures } from "./page-pictures.ts";

const PSA_PAGE = { company: "PSA", part: "page" } as const;

/** Reads PSA's public certificate page in its current layout and the one until 2023. One call per card. */
export function createPsaPage({ endpoint, settings, now }: ClientParts<"PSA_WEB_URL" | "IMAGE_HOSTS">): LookUp {
  function readAnswer(answer: Answered, certNumber: string): Outcome {
    if (answer.status !== 200) return pageRefusal(PSA_PAGE, certNumber, answer, now());
    const reading = readPsaPage(answer.text, settings.IMAGE_HOSTS ?? []);
    if (reading === null) return blocked(PSA_PAGE, answer);
    if (reading.certNumber !== certNumber) return otherCert("PSA", certNumber, reading.certNumber);
    const population = populationOf(reading.population, now());
    const card = { ...mapPsaCard(certNumber, reading.facts, reading.pictures), ...population };
    return { code: "found", source: "page", card, notes: "", complete: true };
  }

  return async (certNumber) => {
    const answer = await endpoint({ url: `${settings.PSA_WEB_URL}/cert/${encodeURIComponent(certNumber)}/psa` });
    return answer.kind === "answered" ? readAnswer(answer, certNumber) : noAnswer(PSA_PAGE, answer);
  };
}

type PsaPageReading = {
  certNumber: string;
  facts: PsaFacts;
  pictures: Pictures;
  population: { atGrade: Text; higher: Text };
};

/**
 * Reads the record of a page; null if it shows none, for example a Cloudflare or PSA block page. The first record is
 * the certificate's own. "Sales of Similar Items" below it lists other people's.
 */
export function readPsaPage(html: string, imageHosts: readonly string[]): PsaPageReading | null {
  const $ = loadPage(html);
  if ($ === null) return null;
  for (const element of [...$("dl").toArray(), ...$("table").toArray()]) {
    const record = $(element).is("dl") ? readPairs($, $(element), "dt", "dd") : readPairs($, $(element), "th", "td");
    const certNumber = valueOf(record, "cert number", "certification number");
    const facts = factsOf(record);
    const hasFacts = Object.values(facts).some((value) => value !== null);
    if (certNumber !== null && hasFacts) {
      const population = { atGrade: printedAfter($, "psa population"), higher: printedAfter($, "psa pop higher") };
      return { certNumber, facts, pictures: findPagePictures($, $(element), imageHosts), population };
    }
  }
  return null;
}

/** The text after a label outside the record, such as "PSA Population" in the tiles above it. */
function printedAfter($: CheerioAPI, label: string): Text {
  const isLabel = (candidate: Elements): boolean =>
    candidate.children().length === 0 && labelKey(candidate.text()) === label;
  const element = elementsOf($, "p, dt, th, span, div").find(isLabel);
  return foldText(element?.next().text() ?? "");
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
