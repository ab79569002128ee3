import { RateLimiterMemory } from "rate-limiter-flexible";
import type { ActivityService } from "../activity/activity.service.ts";
import { networkOf } from "../../http/own-address.ts";
import type { HttpError } from "../../http/http-error.ts";

export type FailedAttempts = ReturnType<typeof createFailedAttempts>;

/** `account`: the email that was tried, which may be nobody's. */
export type FailedAttempt = { account: string; address: string; error: HttpError; description: string };

/** Logs failed checks of passwords and codes, but only one 429 a minute per user and network. */
export function createFailedAttempts(activity: Pick<ActivityService, "log">) {
  const refusals = new RateLimiterMemory({ points: 1, duration: 60 });
  return {
    async log(userId: string, { account, address, error, description }: FailedAttempt): Promise<void> {
      const isRefusal = error.status === 429;
      if (isRefusal && (await refusals.penalty(`${userId}\n${networkOf(address)}`)).consumedPoints > 1) return;
      await activity.log(userId, "login_failed", description, { account, address, reason: error.message });
    },
  };
}
