import type { Context } from "../../context.ts";
import { activityRoutes } from "./activity.routes.ts";

export function activityFeature({ activity }: Context) {
  return { plugin: activityRoutes(activity) };
}
