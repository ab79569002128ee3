import type { Context } from "../../context.ts";
import { reviewRoutes } from "./review.routes.ts";
import { createReviewService } from "./review.service.ts";

export function reviewFeature({ db, sessions }: Context) {
  return { plugin: reviewRoutes(sessions, createReviewService(db)) };
}
