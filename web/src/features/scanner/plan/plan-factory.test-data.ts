import type { ScanPlan } from "@slabdesk/contract/api/plans.ts";
import type { PricePlan } from "@slabdesk/contract/api/prices.ts";
import type { QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { parseSheet, type Sheet } from "@slabdesk/contract/sheet/sheet.ts";

/** The current time in all test data: Saturday, November 21, 2026, 14:00 local time. */
export const NOW = new Date(2026, 10, 21, 14, 0);

/** `NOW` plus these hours and minutes, as an ISO string. */
export function later(hours: number, minutes = 0): string {
  return new Date(NOW.getTime() + (hours * 60 + minutes) * 60_000).toISOString();
}

/** A sheet of lines like "98174651,PSA,120"; its first row is line 2. */
export function sheetOf(...lines: string[]): Sheet {
  const reading = parseSheet(["CertNumber,GradingCompany,Price,Notes", ...lines].join("\n"));
  if (!reading.ok) throw new Error(reading.message);
  return reading.sheet;
}

/** 96 PSA cards by API, for a user who may not see the quota. */
export function aPlan(fields: Partial<ScanPlan> = {}): ScanPlan {
  return {
    totalRows: 96,
    counts: { ready: 96, known: 0, duplicate: 0, toFix: 0 },
    knownLines: [],
    calls: { psa: 192, cgc: 0, tag: 0 },
    sources: [{ company: "PSA", source: "api", cards: 96, calls: 192 }],
    quota: null,
    ifLimited: [],
    waits: [],
    walls: [],
    notConfigured: [],
    prices: [],
    lookupHistory: { total: 0, own: 0, colleagues: 0, twiceOpen: 0, cards: [] },
    minutes: 8,
    endsAt: later(0, 8),
    ...fields,
  };
}

/** 212 prices to fetch from CardLadder at three calls each, and 88 cached. */
export function aPricePlan(fields: Partial<PricePlan> = {}): PricePlan {
  return {
    source: "cardladder",
    isOn: true,
    cards: 212,
    cached: 88,
    calls: 636,
    refused: [],
    until: null,
    message: null,
    wall: null,
    ...fields,
  };
}

/** 120 PSA cards that PSA's website would refuse. */
export function aWall(fields: Partial<ScanPlan["walls"][number]> = {}): ScanPlan["walls"][number] {
  return {
    company: "PSA",
    source: "page",
    outcome: "blocked",
    rows: 120,
    since: later(0, -5),
    message: "PSA's page blocked us (bot protection)",
    isProbed: true,
    ...fields,
  };
}

/** 46 PSA cards that wait until tomorrow. */
export function aWait(fields: Partial<ScanPlan["waits"][number]> = {}): ScanPlan["waits"][number] {
  return {
    company: "PSA",
    outcome: "quota_exhausted",
    rows: 46,
    lines: [[52, 97]],
    until: later(24, 5),
    message: "PSA's limit of 100 API calls per day is used up",
    ...fields,
  };
}

export function aQuota(fields: Partial<QuotaStatus> = {}): QuotaStatus {
  return {
    remainingQuota: 1840,
    totalQuota: 2500,
    isConfirmed: true,
    lastReset: later(-4, -55),
    usedToday: 660,
    lastUpdated: NOW.toISOString(),
    noAccess: false,
    error: null,
    limitedUntil: null,
    ...fields,
  };
}

export function aStatus(priceSources: Status["priceSources"]): Status {
  return {
    status: "online",
    environment: "production",
    version: "1.2.3",
    upstreams: "live",
    scraping: "on",
    isUnencrypted: false,
    priceSources,
  };
}
