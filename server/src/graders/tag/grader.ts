import { problemOf, type Grader, type GraderParts } from "../grader.ts";
import { createTagApi } from "./api.ts";
import { createTagPage } from "./page.ts";

const TEST_CERT = "C1240631";

/** TAG through its API (with a key), and through its public page and photos (README.md). */
export function createTagGrader({ endpoints, settings, now }: GraderParts): Grader {
  const viaApi = createTagApi({ endpoint: endpoints["tag-api"], settings, now });
  return {
    hasApi: () => Boolean(settings.TAG_API_KEY),
    callsPerCard: { api: 1, page: 3 },
    viaApi,
    tryCredentials: async () => problemOf(await viaApi(TEST_CERT)),
    viaPage: createTagPage({ endpoint: endpoints["tag-page"], images: endpoints["tag-images"], settings, now }),
  };
}
