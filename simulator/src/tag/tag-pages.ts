import type { FastifyInstance } from "fastify";
import { htmlAnswer, retryAfter, type Answer } from "../endpoints/answer.ts";
import { answerCall, type House, type Voice } from "../endpoints/endpoint.ts";

type Params = { Params: { certNumber: string } };

/** my.taggrading.com: a script renders the report in the browser. The page itself is the same for every cert. */
export function addTagPages(app: FastifyInstance, house: House): void {
  app.get<Params>("/tag-web/card/:certNumber", async (request, reply) => {
    await answerCall(
      house,
      { endpoint: "tag-web", part: "page", certNumber: request.params.certNumber, voice: SHELL_VOICE },
      request,
      reply,
    );
    return reply;
  });
}

const SHELL = `<!doctype html><html lang="en"><head><meta charset="utf-8"/><link rel="icon" href="/favicon.ico"/>
<meta name="viewport" content="width=device-width,initial-scale=1"/><title>TAG Grading</title>
<script defer="defer" src="/static/js/main.3f9c1ab2.js"></script><link href="/static/css/main.77d0e5c4.css" rel="stylesheet"></head>
<body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>`;

const shell = (): Answer => htmlAnswer(200, SHELL);

const SHELL_VOICE: Voice = {
  found: shell,
  notFound: shell,
  torn: shell,
  quota: (retryAfterS) =>
    htmlAnswer(
      429,
      "<!doctype html><html><head><title>429 Too Many Requests</title></head><body></body></html>",
      retryAfter(retryAfterS),
    ),
};
