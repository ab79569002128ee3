import type { QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import type { Breaker } from "../../lanes/breaker.ts";
import type { ScanRerunsService } from "../scans/scan-reruns.service.ts";

export type SourcesService = ReturnType<typeof createSourcesService>;
export type SourcesParts = {
  breaker: Pick<Breaker, "state" | "forgetQuota">;
  reruns: Pick<ScanRerunsService, "endWaits">;
  hasPsaApi: boolean;
  now: () => Date;
};

/** How PSA's daily calls stand, as administrators see it. */
export function createSourcesService({ breaker, reruns, hasPsaApi, now }: SourcesParts) {
  return {
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
        noAccess: !hasPsaApi,
        error: isPaused ? gate.words : null,
        limitedUntil: isLimited ? gate.until.toISOString() : null,
      };
    },

    /** Forgets what PSA's last refusal taught; cards that wait for its quota try again at once. */
    async resetQuota(): Promise<void> {
      await breaker.forgetQuota("psa-api");
      await reruns.endWaits("PSA");
    },
  };
}
