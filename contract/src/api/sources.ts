import { z } from "zod";
import { sourceCredentialsSchema } from "./credentials.ts";
import { companyRefusalSchema } from "./prices.ts";

export const SOURCE_NAMES = ["psa", "cgc", "tag", "cardladder", "cardsiq"] as const;
export const sourceNameSchema = z.enum(SOURCE_NAMES);
export type SourceName = z.infer<typeof sourceNameSchema>;
export const SOURCE_TITLES: Record<SourceName, string> = {
  psa: "PSA",
  cgc: "CGC",
  tag: "TAG",
  cardladder: "CardLadder",
  cardsiq: "CardsIQ",
};

const count = z.number().int();
const percent = z.number().int().min(0).max(100);
const time = z.string();

/**
 * The state of an upstream's endpoint. `message` says why it isn't open.
 * - `open`: receives calls.
 * - `paused`: receives no calls from `since` to `until`. Then one lookup, the probe, decides.
 * - `probing`: the pause is over. The probe is running, or the next lookup is the probe.
 * - `manually_paused`: an administrator paused it. It stays paused until it is resumed.
 * - `off`: never called, because credentials are missing or page scraping is off.
 */
export const sourceStateSchema = z.enum(["open", "paused", "probing", "manually_paused", "off"]);
export type SourceState = z.infer<typeof sourceStateSchema>;

/**
 * `successRate` (percent of calls) and the latencies (of responses) cover the last 24 hours; null without calls. A call
 * succeeds if it returns the data or reports that there is none. "Today" is the current UTC day.
 */
const traffic = {
  callsToday: count,
  successRate: percent.nullable(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
};

export const sourceEndpointSchema = z.object({
  name: z.string(),
  title: z.string(),
  state: sourceStateSchema,
  since: time.nullable(),
  until: time.nullable(),
  message: z.string().nullable(),
  ...traffic,
});
export type SourceEndpoint = z.infer<typeof sourceEndpointSchema>;

/**
 * How long the remaining calls last at the rates of the last 7 days. `lastsUntil` is null if they last until the window
 * ends. `message` leaves out that time, because the browser shows it in local time.
 */
export const forecastSchema = z.object({
  callsADay: count,
  limit: count,
  lastsUntil: time.nullable(),
  message: z.string(),
});

/**
 * One upstream, for administrators. `state` is the state of its best endpoint. `manualPause` says who paused it.
 * `quota` covers the current window, null without a limit; `isConfirmed`: the upstream has named its limit. `byPerson`
 * counts today's calls by user, most first, without calls that belong to no user. `cacheHitRate` is the percentage of
 * cards settled today or yesterday, or of prices requested in the last 24 hours, that needed no call; null without any.
 * `waitingRows` counts the rows or prices that wait for it. `refusals`: companies whose cards a price source refuses.
 */
export const sourceSchema = z.object({
  name: sourceNameSchema,
  title: z.string(),
  state: sourceStateSchema,
  manualPause: z.object({ by: z.string(), at: time }).nullable(),
  endpoints: z.array(sourceEndpointSchema),
  ...traffic,
  quota: z
    .object({ limit: count, isConfirmed: z.boolean(), used: count, remaining: count, resetsAt: time.nullable() })
    .nullable(),
  byPerson: z.array(z.object({ userId: z.string(), fullName: z.string(), calls: count })),
  cacheHitRate: percent.nullable(),
  waitingRows: count,
  refusals: z.array(companyRefusalSchema),
  forecast: forecastSchema.nullable(),
  /** What its terms allow and which permission the owner needs, one line each. */
  terms: z.string(),
  permission: z.string(),
  /** Whether the credentials can be tested without using quota. If not, the test is a lookup. */
  canTest: z.boolean(),
  credentials: sourceCredentialsSchema,
});
export type Source = z.infer<typeof sourceSchema>;

export const sourceListSchema = z.object({ sources: z.array(sourceSchema), checkedAt: time });

/** The result of a credentials test. `unknown`: the upstream could not be asked, or its answer says nothing about them. */
export const credentialTestSchema = z.object({
  result: z.enum(["accepted", "refused", "unknown"]),
  message: z.string(),
});
export type CredentialTest = z.infer<typeof credentialTestSchema>;
