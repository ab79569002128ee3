import type { Config } from "../../config.ts";
import type { Doors } from "../../lanes/door.ts";
import type { Grader } from "../grader.ts";
import { createPsaApi } from "./api.ts";
import { createPsaPage } from "./page.ts";

export type PsaGraderParts = {
  doors: Pick<Doors, "psa-api" | "psa-page">;
  settings: Pick<Config, "PSA_API_URL" | "PSA_API_TOKEN" | "PSA_WEB_URL" | "IMAGE_HOSTS">;
  now: () => Date;
};

/** PSA by its public API and by its certificate page (README.md). */
export function createPsaGrader({ doors, settings, now }: PsaGraderParts): Grader {
  return {
    company: "PSA",
    hasApi: (settings.PSA_API_TOKEN ?? "") !== "",
    callsPerCard: { api: 2, page: 1 },
    viaApi: createPsaApi({ door: doors["psa-api"], settings, now }),
    tryCredentials: null,
    viaPage: createPsaPage({ door: doors["psa-page"], settings, now }),
  };
}
