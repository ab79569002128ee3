import type { CardSource, Mode } from "@slabdesk/contract/api/cards.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Context } from "../../context.ts";
import { quotaGoneMessage, type PausedState, type Quota, type Wall } from "../../upstreams/breaker-rules.ts";
import { obstacleOf, sourcesOf, timeOf } from "./lookup.service.ts";

/** The expected sources, calls and waits of a number of lookups, if every card is found. */
export type Forecast = {
  bySource: Record<CardSource, number>;
  callsBySource: Record<CardSource, number>;
  waiting: number;
  wait: PausedState | null;
  /** The wall of each card that neither is looked up nor waits; null if there are none. */
  wall: { source: CardSource; wall: Wall } | null;
  /** A message for staff if no source can be asked; otherwise null. */
  obstacle: string | null;
};

const WINDOW_MS = 86_400_000;

/** `assumedLimit`: calls per day of an API with a quota, if lower than its limit. */
export async function forecastOf(
  context: Context,
  company: Company,
  mode: Mode,
  cards: number,
  assumedLimit?: number,
): Promise<Forecast> {
  const { graders, breaker } = context.upstreams;
  const { callsPerCard } = graders[company];
  const bySource = { api: 0, page: 0 };
  const callsBySource = { api: 0, page: 0 };
  const obstacle = await obstacleOf(context, company, mode);
  let left = obstacle === null ? cards : 0;
  let wait: PausedState | null = null;
  let walled: Forecast["wall"] = null;
  for (const { source, endpoint } of left > 0 ? sourcesOf(context, company, mode) : []) {
    if (!endpoint) continue;
    const { state, quota: counted, wall, manualPause } = await breaker.status(endpoint);
    const limit = Math.min(counted?.limit ?? 0, assumedLimit ?? Infinity);
    const quota = counted && { ...counted, limit, remaining: Math.max(0, limit - counted.used) };
    if (wall && !manualPause) {
      if (walled === null || wall.code === "forbidden") walled = { source, wall };
      continue;
    }
    const room = state.kind === "paused" ? 0 : (quota?.remaining ?? Number.POSITIVE_INFINITY);
    bySource[source] = Math.min(left, room);
    // A card's certificate takes one call. Its other calls, for images, are made later if few are left.
    callsBySource[source] = Math.min(bySource[source] * callsPerCard[source], room);
    left -= bySource[source];
    const refusal = state.kind === "paused" ? state : quota && quotaGone(quota, context.now());
    if (refusal && (wait === null || timeOf(refusal.until) < timeOf(wait.until))) wait = refusal;
  }
  const waiting = wait ? left : 0;
  const wall = left > waiting ? walled : null;
  return { bySource, callsBySource, waiting, wait: waiting > 0 ? wait : null, wall, obstacle };
}

/** PSA's daily quota. Null if its API has no credentials. */
export async function psaQuotaOf({ upstreams }: Context): Promise<Quota | null> {
  return upstreams.graders.PSA.hasApi() ? (await upstreams.breaker.status("psa-api")).quota : null;
}

/** The pause for cards that exceed the quota. A window that hasn't started yet starts with the run. */
function quotaGone({ limit, resetsAt }: Quota, now: Date): PausedState {
  const until = resetsAt ?? new Date(now.getTime() + WINDOW_MS);
  return { kind: "paused", until, code: "quota_exhausted", message: quotaGoneMessage(limit) };
}
