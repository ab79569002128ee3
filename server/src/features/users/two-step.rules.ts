import { APIError } from "better-auth/api";
import { HttpError } from "../../http/http-error.ts";
import type { Auth } from "./auth.service.ts";

const WRONG_CODES: readonly unknown[] = ["INVALID_CODE", "INVALID_BACKUP_CODE"];

/** The answer to a right password without a code. */
export function codeNeeded(): HttpError {
  return twoStepRequired("Enter the code from your authenticator app, or a recovery code");
}

export function wrongCode(): HttpError {
  return twoStepRequired("This code is wrong or no longer valid. Try the next one");
}

/** Returns our error for a code that better-auth refused. Null if it refused something else. */
export function refusedCode(error: unknown): HttpError | null {
  if (!(error instanceof APIError)) return null;
  const code = error.body?.code;
  if (WRONG_CODES.includes(code)) return wrongCode();
  if (code !== "ACCOUNT_TEMPORARILY_LOCKED") return null;
  return new HttpError(429, "too_many_requests", "Too many wrong codes. Please wait 15 minutes and try again");
}

function twoStepRequired(message: string): HttpError {
  return new HttpError(401, "two_step_required", message, { fields: { code: message } });
}

/** A code as it was given out, however it is typed. */
export const plainCode = (typed: string): string => typed.replaceAll(/\s/g, "").toLowerCase();

/** Completes a sign-in with the app's six digits or with a recovery code, which it uses up. @throws APIError */
export async function verifyCode(auth: Auth, code: string, headers: Headers) {
  const request = { body: { code }, headers, returnHeaders: true } as const;
  return /^\d+$/.test(code) ? auth.api.verifyTOTP(request) : auth.api.verifyBackupCode(request);
}
