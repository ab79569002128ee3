import type { Context } from "../../context.ts";
import { certsRoutes } from "./certs.routes.ts";
import { createCertsService } from "./certs.service.ts";

export function certsFeature(context: Context) {
  const certs = createCertsService(context);
  return { certs, plugin: certsRoutes(certs, context.now) };
}
