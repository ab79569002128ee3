import { RateLimiterMemory } from "rate-limiter-flexible";
import type { ActivityService } from "../activity/activity.service.ts";
import { siteOf } from "../../http/own-address.ts";
import type { HttpError } from "../../http/http-error.ts";

export type FailedAttempts = ReturnType<typeof createFailedAttempts>;

/** `account`: the email that was entered. It may belong to no user. */
export type FailedAttempt = {
  account: string;
  address: string;
  error: HttpError;
  description: string;
  /** No limit counts these attempts. Therefore they are logged only once a minute, like refusals. */
  isUncounted?: boolean;
};

/** Logs failed checks of passwords and codes. Of refusals, one a minute per user and network. */
export function createFailedAttempts(activity: Pick<ActivityService, "log">) {
  const lately = new RateLimiterMemory({ points: 1, duration: 60 });
  return {
    async log(userId: string, { account, address, error, description, isUncounted }: FailedAttempt) {
      const isLimited = isUncounted || error.status === 429;
      const key = `${userId}\n${error.status}\n${siteOf(address)}`;
      if (isLimited && (await lately.penalty(key)).consumedPoints > 1) return;
      await activity.log(userId, "login_failed", description, { account, address, reason: error.message });
    },
  };
}
