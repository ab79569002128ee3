import type { FastifyInstance } from "fastify";
import { htmlAnswer, retryAfter, type Answer } from "../endpoints/answer.ts";
import { answerCall, type House, type Voice } from "../endpoints/endpoint.ts";
import { escapeText } from "../endpoints/html.ts";
import { seeded } from "../made-up/seeded.ts";
import type { PsaCard, PsaScan } from "./psa-card.ts";
import { findPsaCard } from "./psa-cards.ts";

type Params = { Params: { certNumber: string } };

/** The public pages of www.psacard.com. */
export function addPsaPages(app: FastifyInstance, house: House): void {
  app.get<Params>("/psa-web/cert/:certNumber", (request, reply) =>
    reply.redirect(`${house.origin}/psa-web/cert/${request.params.certNumber}/psa`, 308),
  );
  app.get<Params>("/psa-web/cert/:certNumber/psa", async (request, reply) => {
    await answerCall(
      house,
      { endpoint: "psa-web", part: "page", certNumber: request.params.certNumber, voice: pageVoice(house) },
      request,
      reply,
    );
    return reply;
  });
}

function pageVoice(house: House): Voice {
  const notFound = (status = 404): Answer =>
    htmlAnswer(
      status,
      shell("Page not found | PSA", "<main><h1>404</h1><p>The certification number could not be found.</p></main>"),
    );
  const found = (certNumber: string): Answer => {
    const card = findPsaCard(certNumber);
    if (!card) return notFound();
    return htmlAnswer(200, card.page.layout === "dl" ? todaysPage(house.origin, card) : pageOf2023(house.origin, card));
  };
  return {
    found,
    notFound: () => notFound(),
    quota: (retryAfterS) =>
      htmlAnswer(429, shell("429 Too Many Requests", "<h1>Too Many Requests</h1>"), retryAfter(retryAfterS)),
    torn: () =>
      htmlAnswer(200, shell("PSA", `<main><h1>Cert Verification</h1><div class="animate-pulse"></div></main>`)),
  };
}

/** Next.js with Tailwind. The record is the definition list after "Item Information". */
function todaysPage(origin: string, card: PsaCard): string {
  const { page, cert } = card;
  const main = `<main>
<p class="text-body2">According to the PSA database, the requested certification number is defined as the following:</p>
<h1 class="text-display6">#${cert.CertNumber}</h1>
${gallery(origin, card)}
<p class="text-display5">${escapeText(page.title)}</p>
${summary(card)}
<section><h3 class="text-subtitle2">Item Information</h3>
<dl>${page.rows.map(([label, value]) => row(label, value)).join("\n")}</dl></section>
${similarItems(origin, card)}
</main>
${payload(origin, card)}`;
  return shell(`${page.title} | PSA Cert Verification`, main);
}

/** Some values, such as the label type, have several paragraphs. */
function row(label: string, value: string): string {
  return `<div class="flex w-full"><dt class="text-body2">${escapeText(label)}</dt><dd class="text-body1"><p>${escapeText(value)}</p></dd></div>`;
}

function gallery(origin: string, card: PsaCard): string {
  const images = card.scans.map(
    (scan) =>
      `<img itemprop="contentUrl" alt="Cert image ${scan.isFront ? 1 : 2}" loading="lazy" src="${imageUrl(origin, scan, "small/")}"/>`,
  );
  return `<div class="relative flex">${images.join("")}</div>`;
}

/** The page shows the grade here, before the record. */
function summary({ page, cert }: PsaCard): string {
  const grade = cert.CardGrade ?? cert.GradeDescription;
  const rows = [
    ["Item Grade", grade],
    ...(page.estimateUsd === null
      ? []
      : [["PSA Estimate", `$${page.estimateUsd.toLocaleString("en-US", { minimumFractionDigits: 2 })}`]]),
    ...(page.population === null
      ? []
      : [
          ["PSA Population", page.population.atGrade.toLocaleString("en-US")],
          ["PSA Pop Higher", page.population.higher.toLocaleString("en-US")],
        ]),
  ];
  const tiles = rows.map(
    ([label, value]) =>
      `<div><p class="text-overline">${label}</p><p class="text-subtitle1">${escapeText(value ?? "")}</p></div>`,
  );
  return `<div class="grid grid-cols-4">${tiles.join("")}</div>`;
}

const SIMILAR_COUNT = 3;

/** Other slabs below the record. Their cert numbers and images have the same markup as the card's own. */
function similarItems(origin: string, card: PsaCard): string {
  const random = seeded(`PSA similar ${card.cert.CertNumber}`);
  const items = Array.from({ length: SIMILAR_COUNT }, () => {
    const other = findPsaCard(String(random.int(40_000_000, 98_000_000)));
    return other ? similarItem(origin, other, random.int(9, 950)) : "";
  });
  return `<section><h3 class="text-subtitle2">Sales of Similar Items</h3><ul>${items.join("\n")}</ul></section>`;
}

function similarItem(origin: string, other: PsaCard, priceUsd: number): string {
  const scan = other.scans[0];
  const img = scan
    ? `<img alt="${escapeText(other.page.title)}" loading="lazy" src="${imageUrl(origin, scan, "small/")}"/>`
    : "";
  return `<li><a href="/cert/${other.cert.CertNumber}/psa">${img}<p>${escapeText(other.page.title)}</p></a>
<dl><div><dt>Cert Number</dt><dd>${other.cert.CertNumber}</dd></div><div><dt>Item Grade</dt><dd>${escapeText(other.cert.GradeDescription)}</dd></div>
<div><dt>Price</dt><dd>$${priceUsd}.00</dd></div></dl></li>`;
}

/** The script data, which contains the addresses of the full-size images. */
function payload(origin: string, card: PsaCard): string {
  const images = card.scans.map((scan) => ({ originalPath: imageUrl(origin, scan, "") }));
  const chunk = JSON.stringify(`7:${JSON.stringify({ certImages: images })}`).replaceAll("<", "\\u003c");
  return `<script>self.__next_f=self.__next_f||[];self.__next_f.push([1,${chunk}])</script>`;
}

/** The layout of 2023 and earlier: a table, and both images in separate boxes. */
function pageOf2023(origin: string, card: PsaCard): string {
  const rows = card.page.rows.map(
    ([label, value]) => `<tr><th>${escapeText(label)}</th><td>${oldCell(label, value)}</td></tr>`,
  );
  const images = card.scans.map(
    (scan) =>
      `<div id="certImg${scan.isFront ? "Front" : "Back"}"><img src="${imageUrl(origin, scan, "small/")}" class="img-responsive"></div>`,
  );
  const body = `<div class="container">${images.join("\n")}
<table class="table table-fixed table-header-right text-medium"><tbody>${rows.join("\n")}</tbody></table></div>`;
  return shell("PSA Certification Verification", body);
}

function oldCell(label: string, value: string): string {
  if (label !== "Label Type") return escapeText(value);
  return `<img data-src="https://i.psacard.com/psacard/images/cert/table-image-ink.png" width="69" height="38" class="lazy margin-right-min" alt="" />
<span class="inline-block padding-top-min">${escapeText(value)}</span>`;
}

function imageUrl(origin: string, scan: PsaScan, size: "" | "small/"): string {
  return `${origin}/psa-images/cert/${scan.imageId}/${size}${scan.token}.jpg`;
}

/** The script above the record contains a label's text, as on real pages. */
function shell(title: string, body: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><title>${escapeText(title)}</title></head><body>
<script>var x = "Subject";</script>
<header><a href="/">PSA</a><nav><a href="/cert">Cert Verification</a><a href="/pop">Population Report</a></nav></header>
${body}
<footer>PSA is a division of Collectors Universe.</footer></body></html>`;
}
