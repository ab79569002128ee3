import type { Context } from "../../context.ts";
import { plansRoutes } from "./plans.routes.ts";
import { createPlansService, type PlansParts } from "./plans.service.ts";

type Others = Pick<PlansParts, "certs" | "pricing" | "uploads" | "lookupHistory">;

export function plansFeature({ config, jobs, now, sheets }: Context, others: Others) {
  return { plugin: plansRoutes(createPlansService({ ...others, jobs, scraping: config.SCRAPING, now }), sheets) };
}
