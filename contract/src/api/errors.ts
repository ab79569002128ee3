import { z } from "zod";
import { OUTCOME_CODES } from "./outcomes.ts";

export const ERROR_CODES = [
  ...OUTCOME_CODES.filter((code) => code !== "found"),
  "bad_request",
  "unauthorized",
  "deactivated",
  "must_change_password",
  "must_set_up_two_step",
  "two_step_required",
  "not_allowed",
  "cross_site",
  "misdirected",
  "no_such_thing",
  "conflict",
  "too_large",
  "unsupported_media_type",
  "too_many_requests",
  "overloaded",
  "internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The only error body. `error` is for staff, `code` for programs; `requestId` identifies the request in the log. */
export const errorBodySchema = z.object({
  error: z.string(),
  code: z.enum(ERROR_CODES),
  requestId: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
