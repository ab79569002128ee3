import type { Context } from "../../context.ts";
import { reviewRoutes } from "./review.routes.ts";

export function reviewFeature(context: Context) {
  return { plugin: reviewRoutes(context) };
}
