import type { Context } from "../../context.ts";
import type { Upstreams } from "../../open-upstreams.ts";
import { registerAll } from "../../http/register-all.ts";
import { sourcesRoutes } from "./sources.routes.ts";
import { createSourcesService, type SourcesParts } from "./sources.service.ts";
import { statusRoutes } from "./status.routes.ts";

/** The state of the upstreams, for administrators, and of the server. */
export function sourcesFeature(
  { config, db, now, activity, credentials, upstreams }: Context,
  { version, reruns }: Pick<SourcesParts, "reruns"> & { version: string },
) {
  const { breaker, lanes } = upstreams;
  const sources = byName(upstreams);
  const isOn = {
    get psa() {
      return sources.psa.hasApi;
    },
    get cgc() {
      return sources.cgc.hasApi;
    },
    get tag() {
      return sources.tag.hasApi;
    },
    get cardladder() {
      return sources.cardladder.isOn;
    },
    get cardsiq() {
      return sources.cardsiq.isOn;
    },
  };
  const service = createSourcesService({
    db,
    breaker,
    lanes,
    credentials,
    reruns,
    activity,
    setUp: { isOn, scraping: config.SCRAPING },
    sources,
    sourcesWith: (values) => byName(upstreams.clientsWith(values)),
    now,
  });
  return { plugin: registerAll(sourcesRoutes(service), statusRoutes({ config, version, isOn })) };
}

function byName({ graders, priceSources }: Pick<Upstreams, "graders" | "priceSources">) {
  return { psa: graders.PSA, cgc: graders.CGC, tag: graders.TAG, ...priceSources };
}
