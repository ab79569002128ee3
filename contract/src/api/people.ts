import { z } from "zod";
import { storableText } from "../certs/text.ts";

export const roleSchema = z.enum(["user", "admin"]);
export type Role = z.infer<typeof roleSchema>;

export const profileSchema = z.object({
  id: z.string(),
  email: z.string(),
  fullName: z.string(),
  role: roleSchema,
  isActive: z.boolean(),
  totalScans: z.number().int(),
  totalCardsProcessed: z.number().int(),
  lastLogin: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** True until a one-time password is replaced. After a sign-in with it, the user can then only choose a new password. */
  mustChangePassword: z.boolean(),
  hasTwoStep: z.boolean(),
});
export type Profile = z.infer<typeof profileSchema>;

export const ownProfileSchema = profileSchema.extend({
  /** True if this administrator can do nothing until two-step sign-in is on. */
  mustSetUpTwoStep: z.boolean(),
});
export type OwnProfile = z.infer<typeof ownProfileSchema>;

/** A user in the administrators' list. `scanCount`: the user's settled rows, as `adminStatsSchema` counts them. */
export const adminUserSchema = profileSchema.extend({ scanCount: z.number().int() });
export type AdminUser = z.infer<typeof adminUserSchema>;

export const userListSchema = z.object({ users: z.array(adminUserSchema), nextCursor: z.string().nullable() });

export const userListQuerySchema = z.object({
  cursor: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(500),
});

export const MIN_PASSWORD_LENGTH = 6;
/** Of a password that people choose for themselves. */
export const MIN_CHOSEN_PASSWORD_LENGTH = 10;

export const CHOSEN_PASSWORD_MESSAGES = {
  short: `Use at least ${MIN_CHOSEN_PASSWORD_LENGTH} characters. Four random words are easy to remember`,
  common: "This password is on a list of common passwords. Use another one, such as four random words",
  email: "Use a password that is not your email address",
} as const;

/** Something, an @, a domain and its ending. Letters of any language are allowed. */
export const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;

/** Error texts for an incomplete new user, checked in this order. */
export const NEW_USER_MESSAGES = {
  required: "Please fill in all required fields (Email, Password, and Full Name)",
  email: "Please enter a valid email address",
  password: "Password must be at least 6 characters long",
} as const;

export type NewUserFault = { field: "email" | "password" | "fullName"; message: string };

/**
 * The first validation error of a new user and its field, in form order (docs/conformance.md, 5-16 to 5-18); null if
 * valid. The caller trims the email and the name.
 */
export function newUserFaultOf(user: Record<NewUserFault["field"], string>): NewUserFault | null {
  const { email, password, fullName } = user;
  const required = { email, password: password.trim(), fullName };
  for (const field of ["email", "password", "fullName"] as const)
    if (required[field] === "") return { field, message: NEW_USER_MESSAGES.required };
  if (!EMAIL_PATTERN.test(email)) return { field: "email", message: NEW_USER_MESSAGES.email };
  return password.length < MIN_PASSWORD_LENGTH ? { field: "password", message: NEW_USER_MESSAGES.password } : null;
}

export const newUserSchema = z.object({
  email: z.string().trim().max(254).overwrite(storableText).default(""),
  password: z.string().max(200).default(""),
  fullName: z.string().trim().max(200).overwrite(storableText).default(""),
  role: roleSchema.default("user"),
  /** The password works for one sign-in within a week, at which the user must choose another. */
  mustChangePassword: z.boolean().default(false),
});
export type NewUser = z.input<typeof newUserSchema>;

/** A random password that prefills the new-user form. The server doesn't store it or show it again. */
export const newUserPasswordSchema = z.object({ password: z.string(), isDefault: z.boolean() });
export type NewUserPassword = z.infer<typeof newUserPasswordSchema>;

export const userChangeSchema = z
  .object({ isActive: z.boolean().optional(), role: roleSchema.optional() })
  .refine(({ isActive, role }) => isActive !== undefined || role !== undefined, { error: "needs isActive or role" });
export type UserChange = z.infer<typeof userChangeSchema>;

/** A one-time password set by an administrator. It is shown once and allows one sign-in until `until`. */
export const oneTimePasswordSchema = z.object({ password: z.string(), until: z.string() });
export type OneTimePassword = z.infer<typeof oneTimePasswordSchema>;

/** A user's new password. `currentPassword` isn't required after a sign-in with a one-time password. */
export const passwordChangeSchema = z.object({
  currentPassword: z.string().max(200).default(""),
  newPassword: z.string().max(200),
});
export type PasswordChange = z.input<typeof passwordChangeSchema>;

/** Times are ISO 8601 in UTC, `lastSeenAt` to the minute. `address` and `userAgent` are those of the sign-in. */
export const authSessionEntrySchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  expiresAt: z.string(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  isCurrent: z.boolean(),
});
export type AuthSessionEntry = z.infer<typeof authSessionEntrySchema>;
export const authSessionListSchema = z.object({ authSessions: z.array(authSessionEntrySchema) });

/** A user's layout of the results table. Text, because deeply nested JSON could crash the server; null if none. */
export const tableViewSchema = z.object({ view: z.string().max(20_000).overwrite(storableText).nullable() });

export const DEACTIVATED_MESSAGE = "Your account has been deactivated. Please contact an administrator.";
export const MUST_CHANGE_PASSWORD_MESSAGE =
  "You signed in with a one-time password. Please choose a password of your own";
export const MUST_SET_UP_TWO_STEP_MESSAGE = "Administrators need two-step sign-in here. Please set it up";
export const PROFILE_FAILURE_MESSAGE = "Failed to load user profile";

export const verifyAnswerSchema = z.object({ valid: z.literal(true), user: profileSchema });
/** The second step of a sign-in: the authenticator app's six digits, or a recovery code. */
const codeSchema = z.string().max(40);
/** The backend password, or the own one before two-step sign-in is set up or turned off. */
export const passwordSchema = z.object({ password: z.string().max(200) });
export const backendTokenSchema = z.object({ token: z.string() });

export const signInSchema = z.object({
  email: z.string().trim().max(254).overwrite(storableText),
  password: z.string().max(200),
  /** Required if the account has two-step sign-in. */
  code: codeSchema.optional(),
});
export type SignIn = z.infer<typeof signInSchema>;

/** Both are shown once. `uri` is what authenticator apps read from a QR code. */
export const twoStepSetupSchema = z.object({ uri: z.string(), recoveryCodes: z.array(z.string()) });
export type TwoStepSetup = z.infer<typeof twoStepSetupSchema>;
/** The first code of the authenticator app; turns two-step sign-in on. */
export const twoStepCodeSchema = z.object({ code: codeSchema });

/** A valid auth session. Its token is returned only at sign-in. */
export const currentAuthSessionSchema = z.object({
  session: z.object({ id: z.string(), userId: z.string(), createdAt: z.string(), expiresAt: z.string() }),
  user: profileSchema,
});

/** `token` works as a bearer token. Browsers use the cookie set by the same response. */
export const signInAnswerSchema = currentAuthSessionSchema.extend({ token: z.string() });
export type CurrentAuthSession = z.infer<typeof currentAuthSessionSchema>;

export const signOutAnswerSchema = z.object({ success: z.literal(true) });
