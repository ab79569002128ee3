import { z } from "zod";
import { OUTCOME_CODES } from "./outcomes.ts";

/** Every code an error body can carry: the look-up outcomes and the codes of the HTTP server itself. */
export const ERROR_CODES = [
  ...OUTCOME_CODES.filter((code) => code !== "found"),
  "bad_request",
  "unauthorized",
  "deactivated",
  "must_change_password",
  "not_allowed",
  "cross_site",
  "no_such_thing",
  "conflict",
  "too_large",
  "unsupported_media_type",
  "too_many_requests",
  "overloaded",
  "internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The one error body: words for staff, a code for programs, the request's id for whoever reads the log. */
export const errorBodySchema = z.object({
  error: z.string(),
  code: z.enum(ERROR_CODES),
  requestId: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
