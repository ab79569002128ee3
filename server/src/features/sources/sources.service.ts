import type { QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import {
  SOURCE_NAMES,
  SOURCE_TITLES,
  type CredentialTest,
  type Source,
  type SourceName,
} from "@slabdesk/contract/api/sources.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Database } from "../../database/connection.ts";
import type { Breaker } from "../../lanes/breaker.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import type { ScanRerunsService } from "../scans/scan-reruns.service.ts";
import { createCredentialTests, type CredentialParts } from "./sources.credentials.ts";
import type { SetUp } from "./sources.off.ts";
import { presentSource, type Figures } from "./sources.present.ts";
import * as repo from "./sources.repo.ts";

export type SourcesService = ReturnType<typeof createSourcesService>;
export type SourcesParts = Omit<CredentialParts, "isOn" | "breaker"> & {
  db: Database;
  breaker: Pick<Breaker, "state" | "states" | "hold" | "open" | "forgetQuota">;
  reruns: Pick<ScanRerunsService, "endWaits">;
  activity: Pick<ActivityService, "log">;
  setUp: SetUp;
  now: () => Date;
};
/** Who pauses and opens. */
export type SourceAdmin = { id: string; fullName: string; email: string };

const COMPANIES: Partial<Record<SourceName, Company>> = { psa: "PSA", cgc: "CGC", tag: "TAG" };

/** How the upstreams stand, as administrators see them, and what they do about it. */
export function createSourcesService(parts: SourcesParts) {
  const { db, breaker, reruns, activity, setUp, now } = parts;
  const credentials = createCredentialTests({ ...parts, isOn: setUp.isOn });

  async function figures(): Promise<Figures> {
    const [states, traffic, today, settled, asked, waiting, psaWeek] = await Promise.all([
      breaker.states(),
      repo.listTraffic(db),
      repo.listCallsToday(db),
      repo.listCardsSettled(db),
      repo.listPricesAsked(db),
      repo.countWaiting(db),
      repo.findWeek(db, "psa-api"),
    ]);
    return { states, traffic, today, settled, asked, waiting, weeks: { "psa-api": psaWeek }, now: now() };
  }
  const present = (name: SourceName, from: Figures): Source =>
    presentSource(name, from, setUp, credentials.canTest(name));

  async function noteChange(admin: SourceAdmin, name: SourceName, change: "paused" | "opened"): Promise<void> {
    const message = `${change === "paused" ? "Paused" : "Opened"} ${SOURCE_TITLES[name]}`;
    await activity.log(admin.id, "source_changed", message, { source: name, change });
  }

  /** What waits goes on, or waits on for what it waits for now. Prices have no wait of their own to end. */
  async function lookAgain(name: SourceName): Promise<void> {
    const company = COMPANIES[name];
    if (company) await reruns.endWaits(company);
  }

  return {
    /** Every upstream with its endpoints and figures, all read anew. */
    async list(): Promise<{ sources: Source[]; checkedAt: string }> {
      const from = await figures();
      return { sources: SOURCE_NAMES.map((name) => present(name, from)), checkedAt: from.now.toISOString() };
    },

    /** Asks an upstream nothing more, from any node, until it is opened. Cards in flight end; all others wait. */
    async pause(admin: SourceAdmin, name: SourceName): Promise<Source> {
      if (await breaker.hold(name, admin.fullName || admin.email)) await noteChange(admin, name, "paused");
      await lookAgain(name);
      return present(name, await figures());
    },

    /** Ends every pause of an upstream, by hand or not: what waits for it goes on by itself. */
    async open(admin: SourceAdmin, name: SourceName): Promise<Source> {
      if (await breaker.open(name)) await noteChange(admin, name, "opened");
      await lookAgain(name);
      return present(name, await figures());
    },

    /** Tries the credentials of an upstream without spending quota, where it has a call for that. */
    testCredentials: (admin: SourceAdmin, name: SourceName, givenUp: AbortSignal): Promise<CredentialTest> =>
      credentials.test(admin.id, name, givenUp),

    /** PSA's daily calls, from the same count as `list`. */
    async quotaStatus(): Promise<QuotaStatus> {
      const { gate, quota } = await breaker.state("psa-api");
      if (!quota) throw new Error("PSA's API calls are not counted");
      const isPaused = gate.kind === "paused";
      const isLimited = isPaused && gate.code === "quota_exhausted";
      return {
        remainingQuota: quota.remaining,
        totalQuota: quota.limit,
        lastReset: quota.startedAt?.toISOString() ?? null,
        usedToday: quota.used,
        lastUpdated: now().toISOString(),
        noAccess: !setUp.isOn.psa,
        error: isPaused ? gate.message : null,
        limitedUntil: isLimited && gate.until ? gate.until.toISOString() : null,
      };
    },

    /** Forgets what PSA's last refusal taught; cards that wait for its quota try again at once. */
    async resetQuota(): Promise<void> {
      await breaker.forgetQuota("psa-api");
      await reruns.endWaits("PSA");
    },
  };
}
