import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import { sourcesRoutes, statusRoutes } from "./sources.routes.ts";
import { createSourcesService } from "./sources.service.ts";

export function sourcesFeature(context: Context, version: string) {
  return { plugin: registerAll(sourcesRoutes(createSourcesService(context)), statusRoutes(context, version)) };
}
