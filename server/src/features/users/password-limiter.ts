import { createHash } from "node:crypto";
import type pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { networkOf } from "../../http/network.ts";
import { HttpError } from "../../http/http-error.ts";

/*
 * Wrong passwords are slowed down for one account from one address, and for one address over all accounts: after
 * WRONG_A_MINUTE and WRONG_FROM_ADDRESS_A_MINUTE of them no password is looked at until the minute is over. Right ones
 * never count, and nobody elsewhere is touched. The counts lie in the database, so that more nodes give no more tries.
 *
 * Looking at a password keeps one of the four threads that also read files, so AT_ONCE are looked at and the others
 * wait, WAITING_AT_MOST of them. Attempts for one account from one address wait for each other first and take one place.
 * The counts are read when an attempt's turn has come: a burst cannot be looked at before its failures are counted.
 */

const WRONG_A_MINUTE = 10;
const WRONG_FROM_ADDRESS_A_MINUTE = 100;
const MINUTE_S = 60;

const AT_ONCE = 2;
/** An office that comes to work at the same minute; looking at a password takes about 50 ms. */
const WAITING_AT_MOST = 60;

export type Attempt<T> = { wrong: boolean; value: T };
export type AttemptAnswer<T> =
  | { kind: "checked"; value: T }
  | { kind: "slowed"; retryAfterS: number }
  | { kind: "too busy"; retryAfterS: number };

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
  const queue = createQueue(AT_ONCE, WAITING_AT_MOST);

  /** Seconds until another password of this key is looked at; 0 = now. */
  async function secondsToWait({ key, atMost }: Count): Promise<number> {
    const count = await limiter.get(key);
    return count && count.consumedPoints >= atMost ? Math.max(1, Math.ceil(count.msBeforeNext / 1000)) : 0;
  }

  return {
    /** Runs `check` unless too many were wrong or wait already; it says itself whether this one was wrong. */
    async attempt<T>(account: string, address: string, check: () => Promise<Attempt<T>>): Promise<AttemptAnswer<T>> {
      const network = networkOf(address);
      const ofAccount = { key: keyOf(`${account}\n${network}`), atMost: WRONG_A_MINUTE };
      const counts = [ofAccount, { key: keyOf(network), atMost: WRONG_FROM_ADDRESS_A_MINUTE }];
      const answer = await inTurn(turns, ofAccount.key, () =>
        queue.run(async (): Promise<AttemptAnswer<T>> => {
          const retryAfterS = Math.max(...(await Promise.all(counts.map(secondsToWait))));
          if (retryAfterS > 0) return { kind: "slowed", retryAfterS };
          const { wrong, value } = await check();
          if (wrong) await Promise.all(counts.map(({ key }) => limiter.penalty(key)));
          return { kind: "checked", value };
        }),
      );
      return answer === "full" ? { kind: "too busy", retryAfterS: 1 } : answer;
    },
  };
}

const TRY_LATER = {
  slowed: "Too many wrong passwords. Please wait a minute and try again",
  "too busy": "Too many people are signing in at this moment. Please try again",
};

/** What the check came to. @throws HttpError 429 when it was not made */
export function unlessSlowed<T>(answer: AttemptAnswer<T>): T {
  if (answer.kind === "checked") return answer.value;
  throw new HttpError(429, "too_many_requests", TRY_LATER[answer.kind], {
    headers: { "retry-after": String(answer.retryAfterS) },
  });
}

type Count = { key: string; atMost: number };

function keyOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Runs `atOnce` at a time in the order of asking; `waitingAtMost` wait, and who comes then is told it is full. */
function createQueue(atOnce: number, waitingAtMost: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async run<T>(job: () => Promise<T>): Promise<T | "full"> {
      if (running < atOnce) running += 1;
      else if (waiting.length >= waitingAtMost) return "full";
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await job();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
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
