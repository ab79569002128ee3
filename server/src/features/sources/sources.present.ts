import { CREDENTIAL_FIELDS } from "@slabdesk/contract/api/credentials.ts";
import {
  SOURCE_TITLES,
  type Source,
  type SourceEndpoint,
  type SourceName,
  type SourceState,
} from "@slabdesk/contract/api/sources.ts";
import { COMPANIES } from "@slabdesk/contract/certs/company.ts";
import type { Context } from "../../context.ts";
import type { Upstreams } from "../../open-upstreams.ts";
import type { Refusal } from "../../price-sources/price-source.ts";
import type { EndpointStatus } from "../../upstreams/breaker.ts";
import {
  LANE_OF,
  LOOKUP_ENDPOINTS,
  SOURCE_OF,
  type EndpointName,
  type LookupEndpoint,
} from "../../upstreams/endpoint.ts";
import { forecastOf, type Week } from "./quota-forecast.rules.ts";
import type { CallsToday, Traffic } from "./sources.repo.ts";

export type Statistics = {
  statuses: Record<LookupEndpoint, EndpointStatus>;
  traffic: readonly Traffic[];
  today: readonly CallsToday[];
  settled: readonly { company: string; cards: number; known: number }[];
  requested: readonly { source: string; prices: number; called: number }[];
  waiting: Record<SourceName, number>;
  refusals: Partial<Record<SourceName, readonly Refusal[]>>;
  /** Only for endpoints with a quota. */
  weeks: Partial<Record<LookupEndpoint, Week>>;
  now: Date;
};

/** Endpoints in display order. An endpoint without a breaker of its own shows the state of its `as` endpoint. */
const SHOWN: readonly { name: EndpointName; title: string; as: LookupEndpoint }[] = [
  { name: "psa-api", title: "API", as: "psa-api" },
  { name: "psa-page", title: "Website", as: "psa-page" },
  { name: "cgc-api", title: "API", as: "cgc-api" },
  { name: "cgc-page", title: "Website", as: "cgc-page" },
  { name: "tag-api", title: "API", as: "tag-api" },
  { name: "tag-page", title: "Website", as: "tag-page" },
  { name: "tag-images", title: "Slab photos", as: "tag-page" },
  { name: "cardladder", title: "API", as: "cardladder" },
  { name: "cardladder-sign-in", title: "Sign-in", as: "cardladder" },
  { name: "cardsiq", title: "API", as: "cardsiq" },
];
export const companyOf = (name: SourceName) => COMPANIES.find((company) => LANE_OF[company] === name);

const listed = new Intl.ListFormat("en-GB");
/** The message for administrators names the setting. Staff see a different message, `SCRAPING_OFF`. */
const PAGES_UNREAD = "Web scraping is turned off (SCRAPING=off)";

export function notSetUpMessage(source: SourceName): string {
  const settings = listed.format(CREDENTIAL_FIELDS[source].map(({ name }) => name));
  return `${SOURCE_TITLES[source]}'s API is not set up: enter its credentials here, or set ${settings}`;
}

export function sourcesByName({ graders, priceSources }: Pick<Upstreams, "graders" | "priceSources">) {
  return { psa: graders.PSA, cgc: graders.CGC, tag: graders.TAG, ...priceSources };
}

/** Whether the API or price source has credentials. */
export function isOn({ upstreams }: Context, name: SourceName): boolean {
  const source = sourcesByName(upstreams)[name];
  return "hasApi" in source ? source.hasApi() : source.isOn();
}

function offReason(context: Context, source: SourceName, endpoint: LookupEndpoint): string | null {
  if (endpoint.endsWith("-page")) return context.config.SCRAPING === "off" ? PAGES_UNREAD : null;
  return isOn(context, source) ? null : notSetUpMessage(source);
}

export function presentSource(
  context: Context,
  name: SourceName,
  statistics: Statistics,
  access: Pick<Source, "canTest" | "credentials">,
): Source {
  const shown = SHOWN.filter((endpoint) => SOURCE_OF[endpoint.name] === name);
  const endpoints = shown.map(({ name: endpoint, title, as }): SourceEndpoint => {
    const stand = standOf(statistics.statuses[as], offReason(context, name, as));
    return { name: endpoint, title, ...stand, ...trafficOf([endpoint], statistics) };
  });
  const names = endpoints.map((endpoint) => endpoint.name);
  const [first] = LOOKUP_ENDPOINTS[name];
  const { manualPause, quota: counted } = statistics.statuses[first];
  const quota = isOn(context, name) ? counted : null;
  const week = statistics.weeks[first];
  return {
    name,
    title: SOURCE_TITLES[name],
    state: manualPause ? "manually_paused" : bestOf(endpoints),
    manualPause: manualPause && { by: manualPause.by, at: manualPause.at.toISOString() },
    endpoints,
    ...trafficOf(names, statistics),
    quota: quota && {
      limit: quota.limit,
      isConfirmed: quota.isConfirmed,
      used: quota.used,
      remaining: quota.remaining,
      resetsAt: quota.resetsAt?.toISOString() ?? null,
    },
    byPerson: peopleOf(names, statistics.today),
    cacheHitRate: hitRateOf(name, statistics),
    waitingRows: statistics.waiting[name],
    refusals: (statistics.refusals[name] ?? []).map(({ company, until }) => ({ company, until: until.toISOString() })),
    forecast: quota && week ? forecastOf(quota, week, statistics.now) : null,
    ...SOURCE_TERMS[name],
    ...access,
  };
}

type Stand = Pick<SourceEndpoint, "state" | "since" | "until" | "message">;

function standOf({ state, wall, pausedAt, message, manualPause }: EndpointStatus, off: string | null): Stand {
  if (off !== null) return { state: "off", since: null, until: null, message: off };
  const since = pausedAt?.toISOString() ?? null;
  switch (state.kind) {
    case "open":
      return { state: "open", since: null, until: null, message: null };
    case "due":
    case "probing":
      return { state: "probing", since, until: null, message };
    case "closed":
      return { state: "paused", since, until: wall?.nextProbeAt?.toISOString() ?? null, message };
    case "paused":
      return manualPause
        ? { state: "manually_paused", since: manualPause.at.toISOString(), until: null, message: state.message }
        : { state: "paused", since, until: state.until?.toISOString() ?? null, message: state.message };
  }
}

/** An upstream's state is the best state of its endpoints, because lookups use that endpoint. */
function bestOf(endpoints: readonly Pick<SourceEndpoint, "state">[]): SourceState {
  const order = ["open", "probing", "paused", "manually_paused"] as const;
  return order.find((state) => endpoints.some((endpoint) => endpoint.state === state)) ?? "off";
}

function trafficOf(endpoints: readonly string[], { traffic, today }: Pick<Statistics, "traffic" | "today">) {
  const these = traffic.filter(({ endpoint }) => endpoints.includes(endpoint));
  const calls = sumOf(these.map((one) => one.calls));
  const lengths = Int32Array.from(these.flatMap(({ answersMs }) => answersMs)).sort();
  return {
    callsToday: sumOf(today.filter(({ endpoint }) => endpoints.includes(endpoint)).map((one) => one.calls)),
    successRate: percentOf(sumOf(these.map((one) => one.succeeded)), calls),
    p50Ms: percentileOf(lengths, 0.5),
    p95Ms: percentileOf(lengths, 0.95),
  };
}

/** Returns the nearest-rank percentile of sorted durations. Null if there are none. */
function percentileOf(sorted: Int32Array, share: number): number | null {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? null;
}

function peopleOf(endpoints: readonly string[], today: readonly CallsToday[]): Source["byPerson"] {
  const people = new Map<string, Source["byPerson"][number]>();
  for (const { endpoint, userId, fullName, calls } of today) {
    if (userId === null || !endpoints.includes(endpoint)) continue;
    const before = people.get(userId)?.calls ?? 0;
    people.set(userId, { userId, fullName: fullName ?? "", calls: before + calls });
  }
  return [...people.values()].toSorted((a, b) => b.calls - a.calls || a.fullName.localeCompare(b.fullName));
}

function hitRateOf(name: SourceName, { settled, requested }: Pick<Statistics, "settled" | "requested">): number | null {
  const cards = settled.find(({ company }) => company === companyOf(name));
  if (cards) return percentOf(cards.known, cards.cards);
  const prices = requested.find(({ source }) => source === name);
  return prices ? percentOf(prices.prices - prices.called, prices.prices) : null;
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

function percentOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((100 * part) / whole) : null;
}

/** What each upstream's terms allow and which permission its use requires. Also in docs/sources.md. */
export const SOURCE_TERMS: Record<SourceName, { terms: string; permission: string }> = {
  psa: {
    terms:
      "Collectors' user agreement of Jul 9, 2026 reportedly allows only non-commercial use and bans robots, scraping, and copying by hand. The API's agreement is behind PSA's sign-in and was not read.",
    permission:
      "An API token of your own PSA account, and Collectors' consent to business use. No known terms allow reading its website.",
  },
  cgc: {
    terms:
      "Its sister site cgccomics.com reportedly forbids robots, spiders, and other automatic devices. The terms of cgccards.com and of the dealer API were not read.",
    permission: "A dealer account with access to the API, and CGC's written consent to reading its website.",
  },
  tag: {
    terms: "Unknown. No terms or documentation of its API were found.",
    permission:
      "TAG's consent, and a key from TAG for this use. Slabdesk never uses the key of TAG's own site and never bypasses its encryption.",
  },
  cardladder: {
    terms:
      "Reported by others, not read: personal and non-commercial use only; no robots, data mining, or building of databases without written consent.",
    permission:
      "CardLadder's written consent, and a paid account of your own. CardLadder reportedly offers businesses and dealers an API.",
  },
  cardsiq: {
    terms:
      "Its API has no public terms. Those of cardsiq.io of Dec 11, 2025 cover its marketplace. Only partners get keys.",
    permission: "An address and a key from CardsIQ, and its consent to storing and showing its prices.",
  },
};
