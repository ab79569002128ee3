import type { QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import {
  SOURCE_NAMES,
  SOURCE_TITLES,
  type CredentialTest,
  type Source,
  type SourceName,
} from "@slabdesk/contract/api/sources.ts";
import type { Database } from "../../database/connection.ts";
import type { PriceSource } from "../../price-sources/price-source.ts";
import type { Breaker } from "../../upstreams/breaker.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import type { RunsService } from "../runs/runs.service.ts";
import { createCredentialTests, type CredentialParts } from "./credentials.service.ts";
import type { SetUp } from "./off-reason.rules.ts";
import { COMPANY_OF, presentSource, type Statistics } from "./sources.present.ts";
import * as repo from "./sources.repo.ts";

export type SourcesService = ReturnType<typeof createSourcesService>;
export type SourcesParts = Omit<CredentialParts, "isOn" | "breaker"> & {
  db: Database;
  breaker: Pick<Breaker, "state" | "states" | "pause" | "resume" | "forgetQuota" | "acceptCredentials">;
  reruns: Pick<RunsService, "endWaits">;
  activity: Pick<ActivityService, "log">;
  setUp: SetUp;
  sources: { cardladder: Pick<PriceSource, "refusals"> };
  now: () => Date;
};
/** The administrator who pauses or resumes an upstream. */
export type SourceAdmin = { id: string; fullName: string; email: string };

/** Shows administrators the state of the upstreams, and lets them pause, resume and test them. */
export function createSourcesService(parts: SourcesParts) {
  const { db, breaker, reruns, activity, setUp, sources, now } = parts;
  const credentials = createCredentialTests({ ...parts, isOn: setUp.isOn });

  async function statistics(): Promise<Statistics> {
    const [states, traffic, today, settled, asked, waiting, psaWeek, cardladder] = await Promise.all([
      breaker.states(),
      repo.listTraffic(db),
      repo.listCallsToday(db),
      repo.listCardsSettled(db),
      repo.listPricesAsked(db),
      repo.countWaiting(db),
      repo.findWeek(db, "psa-api"),
      sources.cardladder.refusals(),
    ]);
    const weeks = { "psa-api": psaWeek };
    return { states, traffic, today, settled, asked, waiting, refusals: { cardladder }, weeks, now: now() };
  }
  const present = (name: SourceName, from: Statistics): Source =>
    presentSource(name, from, setUp, credentials.canTest(name));

  async function noteChange(admin: SourceAdmin, name: SourceName, change: "paused" | "opened"): Promise<void> {
    const message = `${change === "paused" ? "Paused" : "Resumed"} ${SOURCE_TITLES[name]}`;
    await activity.log(admin.id, "source_changed", message, { source: name, change });
  }

  /** Ends the waits of a company's rows. Rows that still can't be looked up wait again. Prices have no such wait. */
  async function lookAgain(name: SourceName): Promise<void> {
    const company = COMPANY_OF[name];
    if (company) await reruns.endWaits(company);
  }

  return {
    /** Lists every upstream with its endpoints and statistics. Nothing is cached. */
    async list(): Promise<{ sources: Source[]; checkedAt: string }> {
      const from = await statistics();
      return { sources: SOURCE_NAMES.map((name) => present(name, from)), checkedAt: from.now.toISOString() };
    },

    /** Pauses an upstream on all nodes until it is resumed. Calls in progress finish; all other rows wait. */
    async pause(admin: SourceAdmin, name: SourceName): Promise<Source> {
      if (await breaker.pause(name, admin.fullName || admin.email)) await noteChange(admin, name, "paused");
      await lookAgain(name);
      return present(name, await statistics());
    },

    /** Ends every pause of an upstream, manual or not. Waiting rows continue automatically. */
    async open(admin: SourceAdmin, name: SourceName): Promise<Source> {
      if (await breaker.resume(name)) await noteChange(admin, name, "opened");
      await lookAgain(name);
      return present(name, await statistics());
    },

    /** Tests an upstream's credentials without using quota, if the upstream has a call for that. */
    testCredentials: (admin: SourceAdmin, name: SourceName, givenUp: AbortSignal): Promise<CredentialTest> =>
      credentials.test(admin.id, name, givenUp),

    /** Returns PSA's daily quota, from the same count as `list`. */
    async quotaStatus(): Promise<QuotaStatus> {
      const { gate, quota, wall } = await breaker.state("psa-api");
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
        error: isPaused ? gate.message : (wall?.message ?? null),
        limitedUntil: isLimited && gate.until ? gate.until.toISOString() : null,
      };
    },

    /** Clears the limit from PSA's last refusal. Rows that wait for the quota retry immediately. */
    async resetQuota(): Promise<void> {
      await breaker.forgetQuota("psa-api");
      await reruns.endWaits("PSA");
    },
  };
}
