import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import { sourcesRoutes } from "./sources.routes.ts";
import { createSourcesService, type SourcesParts } from "./sources.service.ts";
import { statusRoutes } from "./status.routes.ts";

/** The state of the upstreams, for administrators, and of the server. */
export function sourcesFeature(
  { config, db, now, activity, upstreams }: Context,
  { version, reruns }: Pick<SourcesParts, "reruns"> & { version: string },
) {
  const { breaker, lanes, graders, priceSources } = upstreams;
  const { PSA: psa, CGC: cgc, TAG: tag } = graders;
  const { cardladder, cardsiq } = priceSources;
  const isOn = {
    psa: psa.hasApi,
    cgc: cgc.hasApi,
    tag: tag.hasApi,
    cardladder: cardladder.isOn,
    cardsiq: cardsiq.isOn,
  };
  const sources = { psa, cgc, tag, cardladder, cardsiq };
  const setUp = { isOn, scraping: config.SCRAPING };
  const service = createSourcesService({ db, breaker, lanes, reruns, activity, setUp, sources, now });
  return { plugin: registerAll(sourcesRoutes(service), statusRoutes({ config, version, isOn })) };
}
