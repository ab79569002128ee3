import type { Config } from "../../config.ts";
import type { Doors } from "../../lanes/door.ts";
import type { Grader } from "../grader.ts";
import { createCgcApi } from "./api.ts";
import { createCgcLogin } from "./login.ts";
import { createCgcPage } from "./page.ts";

export type CgcGraderParts = {
  doors: Pick<Doors, "cgc-api" | "cgc-page">;
  settings: Pick<Config, "CGC_API_URL" | "CGC_API_USERNAME" | "CGC_API_PASSWORD" | "CGC_WEB_URL">;
  now: () => Date;
};

/** CGC by the dealer API and by its certificate page (README.md). */
export function createCgcGrader({ doors, settings, now }: CgcGraderParts): Grader {
  const door = doors["cgc-api"];
  const login = createCgcLogin({ door, settings, now });
  return {
    company: "CGC",
    hasApi: Boolean(settings.CGC_API_USERNAME && settings.CGC_API_PASSWORD),
    callsPerCard: { api: 1, page: 1 },
    viaApi: createCgcApi({ door, settings, now, login }),
    async tryCredentials() {
      const answer = await login.renew();
      return answer.ok ? null : answer.outcome;
    },
    viaPage: createCgcPage({ door: doors["cgc-page"], settings, now }),
  };
}
