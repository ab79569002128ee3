import type { CheerioAPI } from "cheerio";
import { readImageUrl, type Images, type Text } from "../card-text.ts";
import { elementsOf, labelKey, loadPage, readPairs, valueOf, type PrintedRecord } from "../html-records.ts";
import type { CgcFacts } from "./map.ts";

/**
 * Reads a page's record. `nothing`: a throttled client sees it for every certificate. `not_found`: the page says so
 * visibly. Every page contains all messages as hidden labels and Angular templates, which are ignored.
 */
export function readCgcPage(html: string) {
  const $ = loadPage(html);
  const record = readRecord($);
  const certNumber = valueOf(record, "cert #", "cert#", "cgc cert #")?.replaceAll("-", "") ?? null;
  if (certNumber !== null) {
    const facts = factsOf(record);
    const hasFacts = Object.values(facts).some((value) => value !== null && value !== false);
    if (!hasFacts) return "nothing";
    return { certNumber, facts, images: findImages($), population: readPopulation($) };
  }
  $(NOT_SHOWN).remove();
  return NOT_FOUND_MESSAGE.test($("body").text()) ? "not_found" : "nothing";
}

const NOT_SHOWN =
  '#cfDown, [hidden], [style*="display:none"], [style*="display: none"], [ng-if], [ng-show], [ng-switch-when], [ng-repeat]';
const NOT_FOUND_MESSAGE = /\bcannot be found\b/i;

/** Each field is its own list. The data pane takes precedence over the rest of the results, then the whole page. */
function readRecord($: CheerioAPI): PrintedRecord {
  const panes = [$(".certlookup-results-data"), $(".results-pane"), $("body")].map((pane) =>
    readPairs($, pane, "dt", "dd"),
  );
  return new Map(panes.toReversed().flatMap((pane) => [...pane]));
}

function factsOf(record: PrintedRecord): CgcFacts {
  const manufacturer = valueOf(record, "manufacturer");
  const playerName = valueOf(record, "player name");
  const game = valueOf(record, "game");
  return {
    isSports: playerName !== null || (manufacturer !== null && game === null),
    year: valueOf(record, "year"),
    manufacturer,
    cardSet: valueOf(record, "card set"),
    cardNumber: valueOf(record, "card number"),
    cardName: valueOf(record, "card name"),
    playerName,
    game,
    language: valueOf(record, "language"),
    variant1: valueOf(record, "variant 1"),
    variant2: valueOf(record, "variant 2"),
    grade: valueOf(record, "grade"),
    graderNotes: valueOf(record, "grader notes", "graders notes", "grader's notes"),
  };
}

/** The gallery's links point to the full size. The image inside names its side; the back may come first. */
function findImages($: CheerioAPI): Images {
  const links = elementsOf($, ".certlookup-images-item a[href]");
  const side = (title: string): Text => {
    const link = links.find((candidate) => labelKey(candidate.find("img").attr("title") ?? "") === title);
    return readImageUrl(link?.attr("href"));
  };
  return { front: side("obverse"), back: side("reverse") };
}

/** Reads "In 9 Grade: 687" and "In Higher Grades: 2,577". */
function readPopulation($: CheerioAPI): { atGrade: Text; higher: Text } {
  const text = elementsOf($, ".certlookup-stats")[0]?.text() ?? "";
  return {
    atGrade: /\bIn (?!Higher\b)[^:]{1,40} Grade:\s*(\d[\d,]*)/i.exec(text)?.[1] ?? null,
    higher: /\bIn Higher Grades?:\s*(\d[\d,]*)/i.exec(text)?.[1] ?? null,
  };
}
