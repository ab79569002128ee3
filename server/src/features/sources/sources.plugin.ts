import type { Context } from "../../context.ts";
import { sourcesRoutes } from "./sources.routes.ts";
import { createSourcesService } from "./sources.service.ts";

export function sourcesFeature(context: Context, version: string) {
  return { plugin: sourcesRoutes(createSourcesService(context), context, version) };
}
