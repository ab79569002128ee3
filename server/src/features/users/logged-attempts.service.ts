import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Database } from "../../database/connection.ts";
import { HttpError } from "../../http/http-error.ts";
import { networkOf } from "../../http/network.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import type { PasswordLimiter } from "./password-limiter.service.ts";
import { findUserIdByEmail } from "./users.repo.ts";

type Parts = { db: Database; limiter: PasswordLimiter; activity: ActivityService };

/** Wrong passwords, deactivated accounts, and what the limiter refuses. An invalid email is no attempt. */
const LOGGED: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Checks passwords through the limiter and logs failed sign-ins. Since the limiter refuses any number of attempts, only
 * one refusal a minute is logged per user and network. All emails that no user has count as one user.
 */
export function logAttempts({ db, limiter, activity }: Parts): PasswordLimiter["attempt"] {
  const refusals = new RateLimiterMemory({ points: 1, duration: 60 });

  const countRefusal = async (userId: string, address: string): Promise<number> =>
    (await refusals.penalty(`${userId}\n${networkOf(address)}`)).consumedPoints;

  async function logFailure(account: string, address: string, { status, message }: HttpError): Promise<void> {
    if (!LOGGED.has(status)) return;
    const userId = await findUserIdByEmail(db, account);
    if (status === 429 && (await countRefusal(userId, address)) > 1) return;
    const about = { account, address, reason: message };
    await activity.log(userId, "login_failed", `Failed to sign in as ${account} from ${address}`, about);
  }

  return async (account, address, check) => {
    try {
      return await limiter.attempt(account, address, check);
    } catch (error) {
      if (error instanceof HttpError) await logFailure(account, address, error);
      throw error;
    }
  };
}
