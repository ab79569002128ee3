import type { Grader, GraderParts } from "../grader.ts";
import { createPsaApi } from "./api.ts";
import { createPsaPage } from "./page.ts";

export function createPsaGrader({ endpoints, settings, now }: GraderParts): Grader {
  return {
    hasApi: () => Boolean(settings.PSA_API_TOKEN),
    callsPerCard: { api: 2, page: 1 },
    ...createPsaApi({ endpoint: endpoints["psa-api"], settings, now }),
    viaPage: createPsaPage({ endpoint: endpoints["psa-page"], settings, now }),
  };
}
