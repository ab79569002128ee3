import type { z } from "zod";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import {
  CHART_DAYS,
  type AdminCharts,
  type AdminStats,
  type ChartSource,
  type adminSessionsQuerySchema,
} from "@slabdesk/contract/api/stats.ts";
import type { Database } from "../../database/connection.ts";
import type { Breaker } from "../../lanes/breaker.ts";
import { ENDPOINT_NAMES, SOURCE_OF, type EndpointName } from "../../lanes/endpoint.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import type { ScansService, Viewer } from "../scans/scans.service.ts";
import * as repo from "./stats.repo.ts";

export type StatsService = ReturnType<typeof createStatsService>;
export type StatsParts = {
  db: Database;
  scans: Pick<ScansService, "listOf">;
  activity: Pick<ActivityService, "written">;
  breaker: Pick<Breaker, "state">;
  hasPsaApi: boolean;
  now: () => Date;
};

const DAY_MS = 86_400_000;
/** As many people as can be told apart in a chart. */
const PEOPLE = 20;

/** Each upstream has its own line, and so has PSA's page, as its API's calls are counted against a limit. */
const chartSourceOf = (endpoint: EndpointName): ChartSource =>
  endpoint === "psa-page" ? endpoint : SOURCE_OF[endpoint];

/** What administrators see of everybody's work: figures, charts and sessions. */
export function createStatsService({ db, scans, activity, breaker, hasPsaApi, now }: StatsParts) {
  return {
    /** SPEC's admin stats. */
    async stats(): Promise<AdminStats> {
      await activity.written();
      const totals = await repo.readTotals(db, startOfDay(now()));
      return {
        userCount: totals.users,
        sessionCount: totals.sessions,
        scanCount: totals.scans,
        successCount: totals.successes,
        successRate: totals.scans === 0 ? 0 : Math.round((totals.successes / totals.scans) * 100),
        todayActivity: totals.activity,
      };
    },

    /** What the charts show of the last 90 days. PSA's limit is of calls to its API, of which there are none without a token. */
    async charts(): Promise<AdminCharts> {
      const range = lastDays(now());
      const [sums, people, calls, endpoint] = await Promise.all([
        repo.sumDays(db, range),
        repo.sumPeople(db, range, PEOPLE),
        repo.listCallDays(db, range),
        hasPsaApi ? breaker.state("psa-api") : null,
      ]);
      return {
        ...range,
        days: byCompany(sums),
        causes: byOutcome(sums),
        people,
        calls: byLane(calls),
        quotas: endpoint?.quota ? { psa: endpoint.quota.limit } : {},
      };
    },

    /**
     * Everybody's sessions, newest first, each with its owner; those with a row of this outcome, day and company, where
     * asked for. `cursor` is how many of them to leave out.
     */
    async sessions(
      viewer: Viewer,
      { company, ...query }: z.output<typeof adminSessionsQuerySchema>,
    ): Promise<{ sessions: ScanSession[]; nextCursor: string | null }> {
      const filter = { ...query, company: company === "other" ? ("" as const) : company, limit: query.limit + 1 };
      const found = await repo.listSessions(db, filter);
      const page = found.slice(0, query.limit);
      const owners = new Map(page.map(({ sessionId, email, fullName }) => [sessionId, { email, fullName }]));
      const sessions = await scans.listOf(viewer, [...owners.keys()]);
      return {
        sessions: sessions.flatMap((session) => {
          const owner = owners.get(session.id);
          return owner ? [{ ...session, owner }] : [];
        }),
        nextCursor: found.length > page.length ? String(query.cursor + query.limit) : null,
      };
    },
  };
}

function startOfDay(now: Date): Date {
  return new Date(now.getTime() - (now.getTime() % DAY_MS));
}

const dayOf = (time: Date): string => time.toISOString().slice(0, "2026-11-21".length);

/** The days that the charts look at, today included. */
function lastDays(now: Date): repo.Days {
  return { from: dayOf(new Date(now.getTime() - (CHART_DAYS - 1) * DAY_MS)), to: dayOf(now) };
}

/** Sums up what has the same key; in the order of the first ones. */
function sumBy<T, S>(list: readonly T[], keyOf: (one: T) => string, add: (sum: S | undefined, one: T) => S): S[] {
  const sums = new Map<string, S>();
  for (const one of list) sums.set(keyOf(one), add(sums.get(keyOf(one)), one));
  return [...sums.values()];
}

function byCompany(sums: readonly repo.DaySum[]): AdminCharts["days"] {
  return sumBy(
    sums,
    ({ day, company }) => `${day} ${company}`,
    (sum: AdminCharts["days"][number] | undefined, { day, company, cards, value }) => ({
      day,
      company: company === "" ? "other" : company,
      cards: (sum?.cards ?? 0) + cards,
      value: inCents((sum?.value ?? 0) + value),
    }),
  );
}

/** What was added in binary fractions is dollars and cents again. */
const inCents = (dollars: number): number => Math.round(dollars * 100) / 100;

/** Most first. */
function byOutcome(sums: readonly repo.DaySum[]): AdminCharts["causes"] {
  const causes = new Map<OutcomeCode, number>();
  for (const { outcome, cards } of sums) if (outcome !== "") causes.set(outcome, (causes.get(outcome) ?? 0) + cards);
  return [...causes].map(([outcome, cards]) => ({ outcome, cards })).toSorted((a, b) => b.cards - a.cards);
}

/** An endpoint that is not known any more had its calls too, but they are no lane's. */
function byLane(days: readonly { day: string; endpoint: string; calls: number }[]): AdminCharts["calls"] {
  const known = days.flatMap(({ endpoint, ...rest }) => {
    const name = ENDPOINT_NAMES.find((one) => one === endpoint);
    return name === undefined ? [] : [{ ...rest, source: chartSourceOf(name) }];
  });
  return sumBy(
    known,
    ({ day, source }) => `${day} ${source}`,
    (sum: AdminCharts["calls"][number] | undefined, { day, source, calls }) => ({
      day,
      source,
      calls: (sum?.calls ?? 0) + calls,
    }),
  );
}
