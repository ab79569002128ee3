import {
  EMAIL_PATTERN,
  MIN_PASSWORD_LENGTH,
  NEW_USER_MESSAGES,
  type newUserSchema,
} from "@slabdesk/contract/api/people.ts";
import type { z } from "zod";
import { errorMessage } from "../../../api/error-messages.ts";
import { ApiError } from "../../../api/errors.ts";

export type NewUserDraft = z.output<typeof newUserSchema>;
export type NewUserFault = { field: "email" | "password" | "fullName"; message: string };

/** The first validation error of a new user and its field, in form order; null if valid. */
export function faultOf({ email, password, fullName }: Pick<NewUserDraft, NewUserFault["field"]>): NewUserFault | null {
  const required = { email: email.trim(), password: password.trim(), fullName: fullName.trim() };
  for (const field of ["email", "password", "fullName"] as const)
    if (required[field] === "") return { field, message: NEW_USER_MESSAGES.required };
  if (!EMAIL_PATTERN.test(required.email)) return { field: "email", message: NEW_USER_MESSAGES.email };
  return password.length < MIN_PASSWORD_LENGTH ? { field: "password", message: NEW_USER_MESSAGES.password } : null;
}

/** Why the user wasn't created, with the server's message if there was a response. */
export function creationFailure(error: unknown): string {
  return error instanceof ApiError
    ? `Failed to create user: ${errorMessage(error)}`
    : "Failed to create user. Please try again.";
}
