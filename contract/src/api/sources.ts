import { z } from "zod";

/** The upstreams, one lane each. */
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
 * How a host of an upstream stands. `open`: it is asked. `paused`: nothing goes through from `since` until `until`, when
 * one look-up, the probe, decides. `probing`: the pause is over, and the probe is under way or the next look-up is it.
 * `held`: paused by hand, until somebody opens it. `off`: it is never asked (credentials missing, page reading switched
 * off). `words` say why it is not open.
 */
export const sourceStateSchema = z.enum(["open", "paused", "probing", "manually_paused", "off"]);
export type SourceState = z.infer<typeof sourceStateSchema>;

/**
 * Today = the current UTC day. `successRate` (percent of calls) and latencies (of answers, milliseconds) are of the last 24
 * hours; null without calls. A call succeeds when its answer is of use: what was asked for, or word that there is none. A
 * wall, an error and what cannot be read are no success, whatever their status.
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
 * How long the calls of the running window last at the rate of the last 7 days, hour by hour. `lastsUntil`: when they are
 * used up, null when they are not before the window ends. `words` say it without that time, which the reader's clock
 * shows: "At this week's rate 100 calls a day do not last: about 140 a day".
 */
export const forecastSchema = z.object({
  callsADay: count,
  limit: count,
  lastsUntil: time.nullable(),
  message: z.string(),
});
export type SourceForecast = z.infer<typeof forecastSchema>;

/**
 * One upstream as administrators see it. `state` is that of the endpoint that stands best. `held`: who paused it by hand.
 * `quota`: the calls of its running window, null where there is no limit. `byPerson`: calls of today, most first, without
 * those that nobody caused. `cacheHitRate`: percent of the cards that came to an end today or yesterday, or of the prices
 * that rows asked for in the last 24 hours, that needed no call; null without any. `waitingRows`: rows, or prices, that
 * wait for it.
 */
export const sourceSchema = z.object({
  name: sourceNameSchema,
  title: z.string(),
  state: sourceStateSchema,
  manualPause: z.object({ by: z.string(), at: time }).nullable(),
  endpoints: z.array(sourceEndpointSchema),
  ...traffic,
  quota: z.object({ limit: count, used: count, remaining: count, resetsAt: time.nullable() }).nullable(),
  byPerson: z.array(z.object({ userId: z.string(), fullName: z.string(), calls: count })),
  cacheHitRate: percent.nullable(),
  waitingRows: count,
  forecast: forecastSchema.nullable(),
  /** What its terms allow, and what permission the owner needs: a line each. */
  terms: z.string(),
  permission: z.string(),
  /** Whether its credentials can be tried without spending quota; `words` of the answer say why not. */
  canTest: z.boolean(),
});
export type Source = z.infer<typeof sourceSchema>;

export const sourceListSchema = z.object({ sources: z.array(sourceSchema), checkedAt: time });

/** What trying the credentials came to. `unknown`: it cannot be told without a call that counts. */
export const credentialTestSchema = z.object({
  result: z.enum(["accepted", "refused", "unknown"]),
  message: z.string(),
});
export type CredentialTest = z.infer<typeof credentialTestSchema>;
