import { htmlAnswer, type Answer } from "./answer.ts";

const EDGE = { server: "cloudflare", "cf-ray": "8c3f1a2b4d5e6f70-IAD" };

/** The managed challenge that PSA and CGC show to servers: status 403, with the texts and markers of real ones. */
export function botWall(): Answer {
  const html = `<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title>
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8"><meta name="robots" content="noindex,nofollow"></head>
<body><div class="main-wrapper" role="main"><div class="main-content">
<h1>Checking your browser</h1><h2>Performing security verification</h2>
<p>Verifying you are human. This may take a few seconds.</p>
<noscript><div id="cf-error-details">Enable JavaScript and cookies to continue</div></noscript>
<iframe src="https://challenges.cloudflare.com/turnstile/v0/" title="Widget containing a Cloudflare security challenge"></iframe></div></div>
<script>(function(){window._cf_chl_opt={cType:'managed'};var a=document.createElement('script');
a.src='/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1';document.head.appendChild(a);})();</script>
<form id="cf-chl" action="/cdn-cgi/challenge"></form></body></html>`;
  return htmlAnswer(403, html, { ...EDGE, "cf-mitigated": "challenge" });
}

/** Error 1010: Cloudflare blocks the default user agents of Python's HTTP libraries at PSA's API. */
export function browserRefused(): Answer {
  const html = `<!DOCTYPE html><html lang="en-US"><head><title>Access denied | api.psacard.com used Cloudflare to restrict access</title></head>
<body><div id="cf-wrapper"><h1><span>Error</span> <span>1010</span></h1><h2>Access denied</h2>
<p>The owner of this website has banned your access based on your browser's signature.</p></div></body></html>`;
  return htmlAnswer(403, html, EDGE);
}

/** Cloudflare's error page for an origin that is down. */
export function originError(status: 500 | 502 | 503): Answer {
  return htmlAnswer(
    status,
    `<!DOCTYPE html><html><head><title>${status} Server Error</title></head><body><h1>${status} Server Error</h1></body></html>`,
    EDGE,
  );
}
