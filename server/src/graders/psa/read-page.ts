import type { CheerioAPI } from "cheerio";
import { isOnListedHost } from "../../upstreams/listed-hosts.ts";
import { foldText, readImageUrl, type Images, type Text } from "../card-text.ts";
import * as htmlRecords from "../html-records.ts";
import type { PsaFacts } from "./map.ts";

/** Reads a page's first record, the certificate's own; null if it has none, for example a block page. */
export function readPsaPage(html: string, imageHosts: readonly string[]) {
  const $ = htmlRecords.loadPage(html);
  for (const element of [...$("dl").toArray(), ...$("table").toArray()]) {
    const record = $(element).is("dl")
      ? htmlRecords.readPairs($, $(element), "dt", "dd")
      : htmlRecords.readPairs($, $(element), "th", "td");
    const certNumber = htmlRecords.valueOf(record, "cert number", "certification number");
    const facts = factsOf(record);
    const hasFacts = Object.values(facts).some((value) => value !== null);
    if (certNumber !== null && hasFacts) {
      const population = { atGrade: printedAfter($, "psa population"), higher: printedAfter($, "psa pop higher") };
      return { certNumber, facts, images: findPageImages($, $(element), imageHosts), population };
    }
  }
  return null;
}

/** The text after a label outside the record, such as "PSA Population" in the tiles above it. */
function printedAfter($: CheerioAPI, label: string): Text {
  const isLabel = (candidate: htmlRecords.Elements): boolean =>
    candidate.children().length === 0 && htmlRecords.labelKey(candidate.text()) === label;
  const element = htmlRecords.elementsOf($, "p, dt, th, span, div").find(isLabel);
  return foldText(element?.next().text() ?? "");
}

/** The current label comes first, then the one of the layout until 2023. */
function factsOf(record: htmlRecords.PrintedRecord): PsaFacts {
  return {
    year: htmlRecords.valueOf(record, "year"),
    brand: htmlRecords.valueOf(record, "brand/title", "brand"),
    cardNumber: htmlRecords.valueOf(record, "card number"),
    subject: htmlRecords.valueOf(record, "subject", "player"),
    variety: htmlRecords.valueOf(record, "variety/pedigree"),
    category: htmlRecords.valueOf(record, "category", "sport"),
    grade: htmlRecords.valueOf(record, "item grade", "grade"),
  };
}

/** Slab images are on this host under /cert/. /spec/ on the same host holds catalog images. */
const PSA_IMAGE_HOST = "d1htnxwo4o0jhw.cloudfront.net";
const TEXT_NODE = 3;
const SALES_HEADING = /^\s*sales of similar items\b/i;

/** The certificate's images, by description or in order. Those of "Sales of Similar Items" are other people's slabs. */
function findPageImages($: CheerioAPI, record: htmlRecords.Elements, imageHosts: readonly string[]): Images {
  const isOthers = othersOf($, record);
  const slabImages = (selector: string): { url: Text; alt: string }[] =>
    htmlRecords
      .elementsOf($, selector)
      .filter((image) => !isOthers(image))
      .map((image) => ({ url: slabImageUrl(image, imageHosts), alt: htmlRecords.labelKey(image.attr("alt") ?? "") }))
      .filter(({ url }) => url !== null);

  const gallery = slabImages("img");
  const described = (alt: string): Text => gallery.find((image) => image.alt === alt)?.url ?? null;
  const front = described("cert image 1") ?? slabImages("#certImgFront img")[0]?.url ?? null;
  const back = described("cert image 2") ?? slabImages("#certImgBack img")[0]?.url ?? null;
  if (front !== null || back !== null) return { front, back };

  const [first, second] = slabImages("img[itemprop='contentUrl']");
  return { front: first?.url ?? null, back: second?.url ?? null };
}

/** The URL of a slab image; null if the image is not one. Lazy-loaded images keep it in `data-src`. */
function slabImageUrl(image: htmlRecords.Elements, imageHosts: readonly string[]): Text {
  for (const attribute of ["src", "data-src"]) {
    const url = readImageUrl(image.attr(attribute));
    const place = url === null ? null : new URL(url);
    if (place?.pathname.includes("/cert/") && isOnListedHost(place, [PSA_IMAGE_HOST, ...imageHosts])) return url;
  }
  return null;
}

/**
 * Returns a test for images of the sales list: those after its heading and inside its section, which is the largest
 * element around the heading that doesn't contain the record, else the rest of the page.
 */
function othersOf($: CheerioAPI, record: htmlRecords.Elements): (image: htmlRecords.Elements) => boolean {
  const all = $.root().find("*").toArray();
  const position = new Map(all.map((element, index) => [element, index]));
  const heading = all.find((element) =>
    element.children.some((node) => node.nodeType === TEXT_NODE && SALES_HEADING.test(node.data)),
  );
  if (!heading) return () => false;

  const aroundRecord = new Set(record.parents().toArray());
  const section = $(heading)
    .parentsUntil((_index, element) => aroundRecord.has(element))
    .last();
  const headingAt = position.get(heading) ?? 0;
  return (image) => {
    const isAfter = image.toArray().some((element) => (position.get(element) ?? 0) > headingAt);
    return isAfter && (section.length === 0 || section.find(image).length > 0);
  };
}
