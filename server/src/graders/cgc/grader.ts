import type { Grader, GraderParts } from "../grader.ts";
import { createCgcApi } from "./api.ts";
import { createCgcLogin } from "./login.ts";
import { createCgcPage } from "./page.ts";

export function createCgcGrader({ endpoints, settings, now }: GraderParts): Grader {
  const parts = { endpoint: endpoints["cgc-api"], settings, now };
  const login = createCgcLogin(parts);
  return {
    hasApi: () => Boolean(settings.CGC_API_USERNAME && settings.CGC_API_PASSWORD),
    callsPerCard: { api: 1, page: 1 },
    viaApi: createCgcApi({ ...parts, login }),
    tryCredentials: () => login.renew().then((answer) => (answer.ok ? null : answer.outcome)),
    viaPage: createCgcPage({ endpoint: endpoints["cgc-page"], settings, now }),
  };
}
