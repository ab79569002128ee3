import type { Config } from "../../config.ts";
import type { Endpoints } from "../../upstreams/endpoint.ts";
import type { Grader } from "../grader.ts";
import { createTagApi } from "./api.ts";
import { createTagPage } from "./page.ts";

export type TagGraderParts = {
  endpoints: Pick<Endpoints, "tag-api" | "tag-page" | "tag-images">;
  settings: Pick<Config, "TAG_API_URL" | "TAG_API_KEY" | "TAG_WEB_URL" | "TAG_IMAGE_URL">;
  now: () => Date;
};

/** TAG through its API (with a key), and through its public page and photos (README.md). */
export function createTagGrader({ endpoints, settings, now }: TagGraderParts): Grader {
  return {
    company: "TAG",
    hasApi: Boolean(settings.TAG_API_KEY),
    callsPerCard: { api: 1, page: 3 },
    viaApi: createTagApi({ endpoint: endpoints["tag-api"], settings, now }),
    tryCredentials: null,
    viaPage: createTagPage({ page: endpoints["tag-page"], images: endpoints["tag-images"], settings, now }),
  };
}
