import type { FastifyInstance } from "fastify";
import { htmlAnswer, retryAfter, type Answer } from "../endpoints/answer.ts";
import { answerCall, type House, type Voice } from "../endpoints/endpoint.ts";
import { escapeText } from "../endpoints/html.ts";
import { thumbnailPath } from "./cgc-lookup-body.ts";
import { cgcField, type CgcCard } from "./cgc-card.ts";
import { findCgcCard } from "./cgc-cards.ts";

type Params = { Params: { certNumber: string } };

/** The public pages of www.cgccards.com. The grade after the number may be outdated and is ignored. */
export function addCgcPages(app: FastifyInstance, house: House): void {
  for (const path of [
    "/cgc-web/certlookup/:certNumber",
    "/cgc-web/certlookup/:certNumber/",
    "/cgc-web/certlookup/:certNumber/:grade/",
  ]) {
    app.get<Params>(path, async (request, reply) => {
      await answerCall(
        house,
        { endpoint: "cgc-web", part: "page", certNumber: request.params.certNumber, voice: pageVoice(house) },
        request,
        reply,
      );
      return reply;
    });
  }
}

const LIMIT_TEXT =
  "Your search activity has exceeded our limits. These limits are in place to protect our database. Please try again later.";
const NOT_FOUND_TEXT =
  "This item cannot be found. Please verify that the CGC certification number was entered correctly.";

function pageVoice(house: House): Voice {
  const notFound = (status: number): Answer =>
    htmlAnswer(
      status,
      pageAround(`${searchBox()}<div class="certlookup-message error-message">${NOT_FOUND_TEXT}</div>`),
    );
  return {
    found: (certNumber) => {
      const card = findCgcCard(certNumber);
      return card ? htmlAnswer(200, pageAround(record(house.origin, card))) : notFound(404);
    },
    notFound: () => notFound(404),
    noData: () => notFound(200),
    quota: (retryAfterS) =>
      htmlAnswer(
        429,
        `<!DOCTYPE html><html><head><title>429</title></head><body>${LIMIT_TEXT}</body></html>`,
        retryAfter(retryAfterS),
      ),
    torn: () => htmlAnswer(200, pageAround(null)),
  };
}

/**
 * Every page contains the rate-limit text in a hidden label, so the text proves nothing. For throttled visitors,
 * Cloudflare removes the content between the sse comments: they get status 200 and no record.
 */
function pageAround(record: string | null): string {
  const excluded =
    record === null
      ? ""
      : `<!--sse--> <!-- Cloudflare scrape protection beginning tag -->
<div class="results-pane">${record}</div>
<!--/sse--> <!-- Cloudflare scrape protection ending tag -->`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>CGC Cards Cert Lookup | CGC</title></head>
<body class="certlookup-results full-width hide-background" mx-toggle="inner-sidebar" toggle-class="inner-sidebar-open">
<div class="ng-cloak main-content content-pad flex">
<section class="ccg-page-header"><div class="ccg-page-header__inner"><a class="ccg-page-header__title ccg-page-header__title--breadcrumb" href="/certlookup/">Verify CGC Certification</a></div></section>
<label id="cfDown" style="display:none;"><strong>${LIMIT_TEXT}</strong></label>
${excluded}
</div>
</body></html>`;
}

/** The markup contains all messages of the search form. A script shows them if they apply. */
function searchBox(): string {
  return `<div class="certlookup-search-box"><div class="ccg-form" cert-lookup-search><form name="form" class="certlookup-form cgc">
<label>Certification #</label><input type="tel" class="certlookup-number-field" name="CertNumber" placeholder="1234567-999" maxlength="14" />
<div class="error error-message" ng-show="!$ctrl.isHomepage && $ctrl.errorMessage">
<span ng-if="$ctrl.errorMessage === $ctrl.lookupStatus.rateLimited">${LIMIT_TEXT}</span>
<span ng-if="$ctrl.errorMessage === $ctrl.lookupStatus.notFound">${NOT_FOUND_TEXT}</span>
</div></form></div></div>`;
}

function record(origin: string, card: CgcCard): string {
  const pairs = card.pairs.map(
    ([label, value]) => `<dl>
	<dt>${escapeText(label)}</dt>
	<dd>${escapeText(value)}</dd>
</dl>`,
  );
  return `<div class="certlookup-intro"><div class="content-wrapper certlookup-wrapper">${searchBox()}
<div class="certlookup-results-data">${pairs.join("\n")}</div></div></div>
<div class="certlookup-details"><div class="content-wrapper">${gallery(origin, card)}${population(card)}</div></div>`;
}

/** Lists the reverse first, like the saved page of the sister site. */
function gallery(origin: string, card: CgcCard): string {
  if (card.scans.length === 0) return "";
  const items = card.scans.toReversed().map(
    (scan) => `<div class="certlookup-images-item">
<a href="${origin}/cgc-images${scan.path}"><img title="${scan.label}" src="${origin}/cgc-images${thumbnailPath(scan.path)}" /></a>
</div>`,
  );
  return `<div class="certlookup-images" ccg-fancybox-images>${items.join("\n")}</div>`;
}

function population(card: CgcCard): string {
  if (!card.population) return "";
  const { atGrade, higher, url } = card.population;
  const count = (value: number): string => value.toLocaleString("en-US");
  return `<ul class="certlookup-stats"><li><a class="certlookup-stats-item" href="${url}" target="_blank"><div class="certlookup-stats-item-content">
<div class="certlookup-stats-item-label">Total Graded by CGC</div>
<div class="certlookup-stats-item-value value-smaller">In ${escapeText(cgcField(card, "Grade"))} Grade: ${count(atGrade)}</div>
<div class="certlookup-stats-item-value value-smaller">In Higher Grades: ${count(higher)}</div>
</div></a></li></ul>`;
}
