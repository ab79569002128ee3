import type { CheerioAPI } from "cheerio";
import { isOnListedHost } from "../../upstreams/image-hosts.ts";
import { readPictureUrl, type Pictures, type Text } from "../card-text.ts";
import { elementsOf, labelKey, type Elements } from "../html-records.ts";

/** Slab photos are on this host under /cert/. /spec/ on the same host holds catalog pictures. */
const PSA_IMAGE_HOST = "d1htnxwo4o0jhw.cloudfront.net";
const TEXT_NODE = 3;
const SALES_HEADING = /^\s*sales of similar items\b/i;

/**
 * The certificate's own photos, with their addresses as printed. The current gallery identifies the sides by their
 * descriptions ("Cert image 1" is the front); without descriptions, the front comes first. The layout until 2023 names
 * the sides. Photos under "Sales of Similar Items" show other people's slabs and are never used.
 */
export function findPagePictures($: CheerioAPI, record: Elements, imageHosts: readonly string[]): Pictures {
  const isOthers = othersOf($, record);
  const slabPhotos = (selector: string): { url: Text; alt: string }[] =>
    elementsOf($, selector)
      .filter((image) => !isOthers(image))
      .map((image) => ({ url: slabPhotoUrl(image, imageHosts), alt: labelKey(image.attr("alt") ?? "") }))
      .filter(({ url }) => url !== null);

  const gallery = slabPhotos("img");
  const described = (alt: string): Text => gallery.find((photo) => photo.alt === alt)?.url ?? null;
  const front = described("cert image 1") ?? slabPhotos("#certImgFront img")[0]?.url ?? null;
  const back = described("cert image 2") ?? slabPhotos("#certImgBack img")[0]?.url ?? null;
  if (front !== null || back !== null) return { front, back };

  const [first, second] = slabPhotos("img[itemprop='contentUrl']");
  return { front: first?.url ?? null, back: second?.url ?? null };
}

/** The URL of a slab photo; null if the image is not one. Lazy-loaded images keep it in `data-src`. */
function slabPhotoUrl(image: Elements, imageHosts: readonly string[]): Text {
  for (const attribute of ["src", "data-src"]) {
    const url = readPictureUrl(image.attr(attribute));
    if (url !== null && isSlabPhoto(new URL(url), imageHosts)) return url;
  }
  return null;
}

function isSlabPhoto(url: URL, imageHosts: readonly string[]): boolean {
  return url.pathname.includes("/cert/") && isOnListedHost(url, [PSA_IMAGE_HOST, ...imageHosts]);
}

/**
 * Returns a test for images of the sales list: those after the list's heading and inside its section. The section is
 * the largest element around the heading that doesn't contain the record, else the rest of the page.
 */
function othersOf($: CheerioAPI, record: Elements): (image: Elements) => boolean {
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
