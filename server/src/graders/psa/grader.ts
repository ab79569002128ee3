import type { Config } from "../../config.ts";
import type { Endpoints } from "../../upstreams/endpoint.ts";
import type { Grader } from "../grader.ts";
import { createPsaApi } from "./api.ts";
import { createPsaPage } from "./page.ts";

export type PsaGraderParts = {
  endpoints: Pick<Endpoints, "psa-api" | "psa-page">;
  settings: Pick<Config, "PSA_API_URL" | "PSA_API_TOKEN" | "PSA_WEB_URL" | "IMAGE_HOSTS">;
  now: () => Date;
};

/** PSA through its public API and its certificate page (README.md). */
export function createPsaGrader({ endpoints, settings, now }: PsaGraderParts): Grader {
  return {
    company: "PSA",
    hasApi: (settings.PSA_API_TOKEN ?? "") !== "",
    callsPerCard: { api: 2, page: 1 },
    viaApi: createPsaApi({ endpoint: endpoints["psa-api"], settings, now }),
    tryCredentials: null,
    viaPage: createPsaPage({ endpoint: endpoints["psa-page"], settings, now }),
  };
}
