import type { Context } from "../../context.ts";
import { plansRoutes } from "./plans.routes.ts";
import type { PlansContext } from "./plans.service.ts";

export function plansFeature(context: Context, others: Omit<PlansContext, keyof Context>) {
  return { plugin: plansRoutes({ ...context, ...others }) };
}
