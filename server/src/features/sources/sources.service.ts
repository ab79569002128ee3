import type { QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import { SOURCE_NAMES, SOURCE_TITLES, type Source, type SourceName } from "@slabdesk/contract/api/sources.ts";
import type { Context } from "../../context.ts";
import { endWaits } from "../runs/runs.service.ts";
import { isTestFree, removeCredentials, saveCredentials } from "./credentials.service.ts";
import { companyOf, isOn, presentSource, type Statistics } from "./sources.present.ts";
import * as repo from "./sources.repo.ts";

export type SourcesService = ReturnType<typeof createSourcesService>;
/** The administrator who pauses or resumes an upstream. */
export type SourceAdmin = { id: string; fullName: string; email: string };

const CHANGES = {
  paused: (title: string) => `Paused ${title}`,
  opened: (title: string) => `Resumed ${title}`,
  credentials_saved: (title: string) => `Entered the credentials of ${title}`,
  credentials_removed: (title: string) => `Removed the credentials of ${title}`,
  quota_reset: (title: string) => `Cleared the daily limit of ${title}`,
};

const nameOf = ({ fullName, email }: SourceAdmin): string => fullName || email;

export function createSourcesService(context: Context) {
  const { db, credentials, activity, now } = context;
  const { breaker, priceSources } = context.upstreams;

  async function statistics(): Promise<Statistics> {
    await credentials.refresh();
    const [statuses, traffic, today, settled, requested, waiting, psaWeek, cardladder] = await Promise.all([
      breaker.statuses(),
      repo.listTraffic(db),
      repo.listCallsToday(db),
      repo.listCardsSettled(db),
      repo.listPricesRequested(db),
      repo.countWaiting(db),
      repo.findWeek(db, "psa-api"),
      priceSources.cardladder.refusals(),
    ]);
    const weeks = { "psa-api": psaWeek };
    return { statuses, traffic, today, settled, requested, waiting, refusals: { cardladder }, weeks, now: now() };
  }
  const present = (name: SourceName, from: Statistics): Source =>
    presentSource(context, name, from, { canTest: isTestFree(name), credentials: credentials.show(name) });

  type Change = keyof typeof CHANGES | false;

  /** Logs a change and ends the waits of the company's rows; those that still can't be looked up wait again. */
  async function noteChange(admin: SourceAdmin, name: SourceName, change: Change): Promise<void> {
    if (change) {
      const message = CHANGES[change](SOURCE_TITLES[name]);
      await activity.log(admin.id, "source_changed", message, { source: name, change });
    }
    const company = companyOf(name);
    if (company) await endWaits(db, company);
  }

  async function changed(admin: SourceAdmin, name: SourceName, change: Change): Promise<Source> {
    await noteChange(admin, name, change);
    return present(name, await statistics());
  }

  /** Returns PSA's daily quota, from the same count as `list`. */
  async function quotaStatus(): Promise<QuotaStatus> {
    const { state, quota, wall } = await breaker.status("psa-api");
    if (!quota) throw new Error("PSA's API calls are not counted");
    const isPaused = state.kind === "paused";
    const isLimited = isPaused && state.code === "quota_exhausted";
    return {
      remainingQuota: quota.remaining,
      totalQuota: quota.limit,
      isConfirmed: quota.isConfirmed,
      lastReset: quota.startedAt?.toISOString() ?? null,
      usedToday: quota.used,
      lastUpdated: now().toISOString(),
      noAccess: !isOn(context, "psa"),
      error: isPaused ? state.message : (wall?.message ?? null),
      limitedUntil: isLimited && state.until ? state.until.toISOString() : null,
    };
  }

  return {
    /** Lists every upstream with its endpoints and statistics. Nothing is cached. */
    async list(): Promise<{ sources: Source[]; checkedAt: string }> {
      const from = await statistics();
      return { sources: SOURCE_NAMES.map((name) => present(name, from)), checkedAt: from.now.toISOString() };
    },

    /** Pauses an upstream on all nodes until it is resumed. Calls in progress finish; all other rows wait. */
    async pause(admin: SourceAdmin, name: SourceName): Promise<Source> {
      return changed(admin, name, (await breaker.pause(name, nameOf(admin))) && "paused");
    },

    /** Ends every pause of an upstream, manual or not. Waiting rows continue automatically. */
    async open(admin: SourceAdmin, name: SourceName): Promise<Source> {
      return changed(admin, name, (await breaker.resume(name)) && "opened");
    },

    /** Saves entered credentials for all nodes. Waiting rows try them at once. */
    async saveCredentials(admin: SourceAdmin, name: SourceName, values: Record<string, string>): Promise<Source> {
      await saveCredentials(context, nameOf(admin), name, values);
      return changed(admin, name, "credentials_saved");
    },

    async removeCredentials(admin: SourceAdmin, name: SourceName): Promise<Source> {
      return changed(admin, name, (await removeCredentials(context, name)) && "credentials_removed");
    },

    quotaStatus,

    /** Clears the limit from PSA's last refusal. Rows that wait for the quota retry immediately. */
    async resetQuota(admin: SourceAdmin): Promise<QuotaStatus> {
      await breaker.forgetQuota("psa-api");
      await noteChange(admin, "psa", "quota_reset");
      return quotaStatus();
    },
  };
}
