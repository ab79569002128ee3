import type { Config } from "../../config.ts";
import type { Endpoints } from "../../upstreams/endpoint.ts";
import type { Grader } from "../grader.ts";
import { createCgcApi } from "./api.ts";
import { createCgcLogin } from "./login.ts";
import { createCgcPage } from "./page.ts";

export type CgcGraderParts = {
  endpoints: Pick<Endpoints, "cgc-api" | "cgc-page">;
  settings: Pick<Config, "CGC_API_URL" | "CGC_API_USERNAME" | "CGC_API_PASSWORD" | "CGC_WEB_URL">;
  now: () => Date;
};

/** CGC through the dealer API and its certificate page (README.md). */
export function createCgcGrader({ endpoints, settings, now }: CgcGraderParts): Grader {
  const endpoint = endpoints["cgc-api"];
  const login = createCgcLogin({ endpoint, settings, now });
  return {
    company: "CGC",
    hasApi: Boolean(settings.CGC_API_USERNAME && settings.CGC_API_PASSWORD),
    callsPerCard: { api: 1, page: 1 },
    viaApi: createCgcApi({ endpoint, settings, now, login }),
    async tryCredentials() {
      const answer = await login.renew();
      return answer.ok ? null : answer.outcome;
    },
    viaPage: createCgcPage({ endpoint: endpoints["cgc-page"], settings, now }),
  };
}
