import { createHash } from "node:crypto";
import type pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";

/*
 * Wrong passwords are slowed down for one account from one address: after WRONG_A_MINUTE of them no password is
 * looked at until the minute is over. Right ones never count, and nobody elsewhere is touched. The counts lie in the
 * database, so that more nodes give no more tries; attempts for one key wait for each other within a node, so that
 * a burst cannot be looked at before its first failures are counted.
 */

const WRONG_A_MINUTE = 10;
const MINUTE_S = 60;

export type Attempt<T> = { wrong: boolean; value: T };
export type AttemptAnswer<T> = { kind: "checked"; value: T } | { kind: "slowed"; retryAfterS: number };

export type PasswordLimiter = ReturnType<typeof createPasswordLimiter>;

export function createPasswordLimiter(pool: pg.Pool) {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: "pool",
    tableName: "wrong_passwords",
    tableCreated: true,
    keyPrefix: "",
    points: WRONG_A_MINUTE,
    duration: MINUTE_S,
  });
  const turns = new Map<string, Promise<void>>();

  return {
    /** Runs `check` unless too many were wrong; it says itself whether this one was. */
    async attempt<T>(account: string, address: string, check: () => Promise<Attempt<T>>): Promise<AttemptAnswer<T>> {
      const key = createHash("sha256").update(`${account}\n${address}`).digest("base64url");
      return inTurn(turns, key, async () => {
        const count = await limiter.get(key);
        if (count && count.consumedPoints >= WRONG_A_MINUTE) {
          return { kind: "slowed", retryAfterS: Math.max(1, Math.ceil(count.msBeforeNext / 1000)) };
        }
        const { wrong, value } = await check();
        if (wrong) await limiter.penalty(key);
        return { kind: "checked", value };
      });
    },
  };
}

async function inTurn<T>(turns: Map<string, Promise<void>>, key: string, run: () => Promise<T>): Promise<T> {
  const turn = (turns.get(key) ?? Promise.resolve()).then(run);
  const settled = turn.then(
    () => {},
    () => {},
  );
  turns.set(key, settled);
  try {
    return await turn;
  } finally {
    if (turns.get(key) === settled) turns.delete(key);
  }
}
