import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import { CHART_DAYS, type AdminCharts, type AdminStats, type ChartSource } from "@slabdesk/contract/api/stats.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/connection.ts";
import { ENDPOINT_NAMES, SOURCE_OF, type EndpointName } from "../../upstreams/endpoint.ts";
import type { Viewer } from "../sessions/sessions.service.ts";
import * as repo from "./stats.repo.ts";

const DAY_MS = 86_400_000;
/** The most users that a chart can show legibly. */
const PEOPLE = 20;

/** Each upstream has its own series. PSA's page has a separate one, because PSA's quota covers only its API. */
const chartSourceOf = (endpoint: EndpointName): ChartSource =>
  endpoint === "psa-page" ? endpoint : SOURCE_OF[endpoint];

/** Returns the admin statistics (docs/conformance.md, section 3.12). */
export async function readStats({ db, activity, now }: Context): Promise<AdminStats> {
  await activity.written();
  const totals = await repo.readTotals(db, dayOf(now().getTime()));
  const { scanCount, successCount } = totals;
  return { ...totals, successRate: scanCount === 0 ? 0 : Math.round((successCount / scanCount) * 100) };
}

/** Returns the chart data of the last CHART_DAYS days. Omits PSA's quota if its API has no token. */
export async function readCharts({ db, upstreams, now }: Context): Promise<AdminCharts> {
  const atMs = now().getTime();
  const range = { from: dayOf(atMs - (CHART_DAYS - 1) * DAY_MS), to: dayOf(atMs) };
  const [sums, people, calls, endpoint] = await Promise.all([
    repo.sumDays(db, range),
    repo.sumPeople(db, range, PEOPLE),
    repo.listCallDays(db, range),
    upstreams.graders.PSA.hasApi() ? upstreams.breaker.status("psa-api") : null,
  ]);
  return {
    ...range,
    days: byCompany(sums),
    causes: byOutcome(sums),
    people,
    calls: byLane(calls),
    quotas: endpoint?.quota ? { psa: endpoint.quota.limit } : {},
  };
}

/** Lists the matching sessions with their owners, newest first. `cursor` is the number of sessions to skip. */
export async function listAllSessions(context: Context, viewer: Viewer, asked: repo.SessionsQuery) {
  const { db, sessions } = context;
  const { company, ...query } = asked;
  const filter = { ...query, company: company === "other" ? ("" as const) : company, limit: query.limit + 1 };
  const found = await repo.listSessions(db, filter);
  const page = found.slice(0, query.limit);
  const owners = new Map(page.map(({ sessionId, ...owner }) => [sessionId, owner]));
  const listed = await sessions.listOf(viewer, [...owners.keys()]);
  return {
    sessions: listed.flatMap((session) => {
      const owner = owners.get(session.id);
      return owner ? [{ ...session, owner, api_mode: session.processingMode }] : [];
    }),
    nextCursor: found.length > page.length ? String(query.cursor + query.limit) : null,
  };
}

const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, "2026-11-21".length);

/** Groups items by key, in the order of each key's first item. */
function groupsOf<T>(list: readonly T[], keyOf: (one: T) => string): { first: T; all: readonly T[] }[] {
  const groups = Map.groupBy(list, keyOf).values();
  return [...groups].flatMap((all) => all.slice(0, 1).map((first) => ({ first, all })));
}

function sumOf<Name extends string>(list: readonly Record<Name, number>[], name: Name): number {
  return list.reduce((sum, one) => sum + one[name], 0);
}

function byCompany(sums: readonly repo.DaySum[]): AdminCharts["days"] {
  return groupsOf(sums, ({ day, company }) => `${day} ${company}`).map(({ first: { day, company }, all }) => ({
    day,
    company: company === "" ? "other" : company,
    cards: sumOf(all, "cards"),
    value: Math.round(sumOf(all, "value") * 100) / 100,
  }));
}

function byOutcome(sums: readonly repo.DaySum[]): AdminCharts["causes"] {
  const causes = new Map<OutcomeCode, number>();
  for (const { outcome, cards } of sums) if (outcome !== "") causes.set(outcome, (causes.get(outcome) ?? 0) + cards);
  return [...causes].map(([outcome, cards]) => ({ outcome, cards })).toSorted((a, b) => b.cards - a.cards);
}

/** Sums calls by day and chart source. Skips endpoints that no longer exist. */
function byLane(days: readonly repo.CallDay[]): AdminCharts["calls"] {
  const known = days.flatMap(({ endpoint, ...rest }) => {
    const name = ENDPOINT_NAMES.find((one) => one === endpoint);
    return name === undefined ? [] : [{ ...rest, source: chartSourceOf(name) }];
  });
  return groupsOf(known, ({ day, source }) => `${day} ${source}`).map(({ first, all }) => ({
    ...first,
    calls: sumOf(all, "calls"),
  }));
}

/**
 * Rolls up the counters of all sessions that changed, one session at a time. Inserting counters waits for no lock; rolled
 * up every minute, they stay a few hundred thousand, not one per row.
 */
export async function rollUpAll(db: Database): Promise<void> {
  for (const sessionId of await repo.listNotRolledUp(db)) await repo.rollUpCounters(db, sessionId);
}
