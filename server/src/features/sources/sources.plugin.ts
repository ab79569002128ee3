import type { Context } from "../../context.ts";
import { sourcesRoutes } from "./sources.routes.ts";
import { createSourcesService, type SourcesContext } from "./sources.service.ts";

export function sourcesFeature(context: Context, others: Pick<SourcesContext, "reruns"> & { version: string }) {
  const service = createSourcesService({ ...context, reruns: others.reruns });
  return { plugin: sourcesRoutes(service, context, others.version) };
}
