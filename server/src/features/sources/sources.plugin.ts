import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import { sourcesRoutes, statusRoutes } from "./sources.routes.ts";
import { createSourcesService, type SourcesContext } from "./sources.service.ts";

export function sourcesFeature(context: Context, others: Pick<SourcesContext, "reruns"> & { version: string }) {
  const service = createSourcesService({ ...context, reruns: others.reruns });
  return { plugin: registerAll(sourcesRoutes(service), statusRoutes(context, others.version)) };
}
