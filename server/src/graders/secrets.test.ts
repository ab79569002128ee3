import { inspect } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseConfig } from "../config.ts";
import { createEndpoints } from "../upstreams/http-endpoints.ts";
import { startLocalUpstream } from "../testing/local-upstream.ts";
import type { LocalUpstream, Reply } from "../testing/local-upstream.ts";
import { createCgcGrader } from "./cgc/grader.ts";
import { createPsaGrader } from "./psa/grader.ts";
import { createTagGrader } from "./tag/grader.ts";

const PATHS = [
  "/psa/cert/GetByCertNumber/12345678",
  "/cgc/cards/certifications/v3/lookup/12345678?include=pop,images",
  "/tag/graded-cards/public/detail/12345678",
];

let upstream: LocalUpstream;
let open: ReturnType<typeof createEndpoints>;
beforeAll(async () => {
  upstream = await startLocalUpstream();
  open = createEndpoints({ REQUEST_TIMEOUT_MS: 20_000 });
});
afterAll(async () => {
  await open.close();
  await upstream.close();
});

/** The log keeps the beginning of a broken answer, and some servers repeat the request in it. */
test.each(["psa", "cgc", "tag"] as const)("our credentials are removed from what %s repeats", async (company) => {
  const settings = parseConfig({
    UPSTREAMS: "live",
    PSA_API_URL: `${upstream.origin}/psa`,
    PSA_API_TOKEN: "psa-token",
    CGC_API_URL: `${upstream.origin}/cgc`,
    CGC_API_USERNAME: "shop",
    CGC_API_PASSWORD: "cgc-password",
    TAG_API_URL: `${upstream.origin}/tag`,
    TAG_API_KEY: "tag-key",
  });
  const parts = { endpoints: open.endpoints, settings, now: () => new Date() };
  const graders = { psa: createPsaGrader(parts), cgc: createCgcGrader(parts), tag: createTagGrader(parts) };
  const repeat: Reply = (response, { headers, body }) => {
    response.writeHead(503).end(`down ${JSON.stringify(headers)} ${body}`);
  };
  upstream.on("/cgc/auth/login/CGC", repeat, { body: '"session-token"' });
  for (const path of PATHS) upstream.on(path, repeat);
  for (let time = 0; time < 2; time += 1) {
    const kept = inspect(await graders[company].viaApi("12345678"), { depth: 9 });
    expect(kept).toContain("HTTP 503: down");
    expect(kept).not.toMatch(/psa-token|cgc-password|session-token|tag-key/);
  }
});
