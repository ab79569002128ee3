import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import type { CredentialParts } from "./credentials.service.ts";
import type { SetUp } from "./off-reason.ts";
import { sourcesRoutes } from "./sources.routes.ts";
import { createSourcesService, type SourcesParts } from "./sources.service.ts";
import { statusRoutes } from "./status.routes.ts";

/** The state of the upstreams, for administrators, and of the server. */
export function sourcesFeature(
  { config, db, now, activity, upstreams }: Context,
  { version, reruns }: Pick<SourcesParts, "reruns"> & { version: string },
) {
  const { breaker, lanes, graders, priceSources } = upstreams;
  const isOn: SetUp["isOn"] = {
    psa: graders.PSA.hasApi,
    cgc: graders.CGC.hasApi,
    tag: graders.TAG.hasApi,
    cardladder: priceSources.cardladder.isOn,
    cardsiq: priceSources.cardsiq.isOn,
  };
  const tryCredentials: CredentialParts["tryCredentials"] = {
    psa: graders.PSA.tryCredentials,
    cgc: graders.CGC.tryCredentials,
    tag: graders.TAG.tryCredentials,
    cardladder: priceSources.cardladder.tryCredentials,
    cardsiq: priceSources.cardsiq.tryCredentials,
  };
  const setUp = { isOn, scraping: config.SCRAPING };
  const sources = createSourcesService({ db, breaker, lanes, reruns, activity, setUp, tryCredentials, now });
  return { plugin: registerAll(sourcesRoutes(sources), statusRoutes({ config, version, isOn })) };
}
