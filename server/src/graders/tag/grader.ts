import type { Grader, GraderParts } from "../grader.ts";
import { createTagApi } from "./api.ts";
import { createTagPage } from "./page.ts";

/** TAG through its API (with a key), and through its public page and photos (README.md). */
export function createTagGrader({ endpoints, settings, now }: GraderParts): Grader {
  return {
    company: "TAG",
    hasApi: Boolean(settings.TAG_API_KEY),
    callsPerCard: { api: 1, page: 3 },
    viaApi: createTagApi({ endpoint: endpoints["tag-api"], settings, now }),
    tryCredentials: null,
    picturesOf: null,
    viaPage: createTagPage({ endpoint: endpoints["tag-page"], images: endpoints["tag-images"], settings, now }),
  };
}
