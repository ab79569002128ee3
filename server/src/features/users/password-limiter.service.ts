import { createHash } from "node:crypto";
import type pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { createBudgets, noteRequest } from "../../concurrency/budgets.ts";
import { createShares } from "../../concurrency/shares.ts";
import { siteOf } from "../../http/own-address.ts";
import { HttpError, tryLater } from "../../http/http-error.ts";

/*
 * Limits wrong passwords per account and network (WRONG_A_MINUTE) and per network (WRONG_FROM_ADDRESS_A_MINUTE). Over
 * the limit, no password is checked until the minute ends. Correct passwords don't count, and other networks aren't
 * affected. The counts are in the database, so that more nodes don't allow more tries.
 *
 * Guessing from many networks is slowed too: from a number of wrong passwords for an account a day, each wrong one makes
 * its own network wait for this account, longer and longer (`Delays`). The first attempt from a network is always
 * checked and only its own mistakes delay it, so nobody can lock a user out. Networks from which the user signed in
 * recently are exempt. A browser that signed in to the account before counts as a network of its own, and so does a
 * signed-in user, so that other people's wrong passwords don't keep them out.
 *
 * A password check occupies one of the four threads that also read files. Therefore few run at a time, and networks take
 * turns. Known browsers, signed-in users, and accounts that signed in recently from the same network have a place of
 * their own and take turns by account, so that strangers don't delay them. Checks of correct passwords are limited too,
 * so that nobody can occupy the places. Attempts for the same account and network run one at a time and take one place in
 * the queue. The counts are read when an attempt starts, so that a burst can't run before its failures are counted.
 */

const WRONG_A_MINUTE = 10;
const WRONG_FROM_ADDRESS_A_MINUTE = 100;
const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;
const KNOWN_FOR_S = 30 * DAY_S;
/** Longer than an app's code works: its own half minute, the one before, and the one after. */
const CODE_WORKS_S = 120;

/** Of one account and network. */
const ATTEMPTS_WAITING = 20;
/** Of one network: enough for an office that signs in within the same minute. A check takes about 50 ms. */
const ACCOUNTS_WAITING = 60;
const PATIENCE_MS = 30_000;

/**
 * After `free` wrong passwords for an account in a day, from networks without a recent sign-in, each further one delays
 * its network by `firstS` seconds: stricter than WRONG_A_MINUTE. Doubles with every `free` more, up to `longestS`.
 */
export type Delays = { free: number; firstS: number; longestS: number };
const DELAYS: Delays = { free: 20, firstS: 30, longestS: 15 * MINUTE_S };

/** The result of a password check. A refusal with `wrong: false` doesn't count as a wrong password. */
export type Attempt<T> = { wrong: boolean; value: T | HttpError };

export type PasswordLimiter = ReturnType<typeof createPasswordLimiter>;

/** Limits accounts that sign in repeatedly while others sign in or work. */
const OF_FAMILIAR = { burstMs: 10_000, share: 0.1 };

export function createPasswordLimiter(pool: pg.Pool, delays: Delays = DELAYS, ofFamiliar = createBudgets(OF_FAMILIAR)) {
  const store = { storeClient: pool, storeType: "pool", tableName: "wrong_passwords", tableCreated: true };
  const limiter = new RateLimiterPostgres({ ...store, keyPrefix: "", points: WRONG_A_MINUTE, duration: MINUTE_S });
  const ofDay = new RateLimiterPostgres({ ...store, keyPrefix: "day", points: delays.free, duration: DAY_S });
  const codes = new RateLimiterPostgres({ ...store, keyPrefix: "code", points: 1, duration: CODE_WORKS_S });
  const known = new RateLimiterPostgres({ ...store, keyPrefix: "known", points: 1, duration: KNOWN_FOR_S });
  const common = { each: 1, patienceMs: PATIENCE_MS, refuse: tooManyPeople };
  const timed = { ...common, mostMs: Infinity, outlastsRests: true };
  const ofStrangers = createBudgets({ burstMs: 10_000, share: 0.1 });
  const ofAccounts = createShares({ ...common, total: Infinity, waiting: ATTEMPTS_WAITING });
  const strangers = createShares({ ...timed, total: 2, waiting: ACCOUNTS_WAITING, budgets: ofStrangers });
  const familiar = createShares({ ...timed, total: 1, waiting: ATTEMPTS_WAITING, budgets: ofFamiliar });

  /** Returns the seconds until the next password of this key can be checked; 0 means now. */
  async function secondsToWait({ key, atMost }: Count): Promise<number> {
    const count = await limiter.get(key);
    return count && count.consumedPoints >= atMost ? Math.max(1, Math.ceil(count.msBeforeNext / 1000)) : 0;
  }

  /** Delays the next attempt with this key after many wrong passwords in a day: for the account, or from the caller. */
  async function delay({ key, ofDayKey }: AccountCount): Promise<void> {
    // Callers have their own counts, which other people cannot use up.
    if (key !== ofDayKey && (await known.get(key))) return;
    const { consumedPoints } = await ofDay.penalty(ofDayKey);
    const seconds = delayAfter(consumedPoints, delays);
    if (seconds > 0) await limiter.block(key, seconds);
  }

  async function checkUnlessSlowed<T>(
    counts: readonly [ofAccount: AccountCount, ofNetwork: Count],
    check: Check<T>,
  ): Promise<T> {
    const retryAfterS = Math.max(...(await Promise.all(counts.map(secondsToWait))));
    const wait = retryAfterS <= MINUTE_S ? "wait a minute" : `wait ${Math.ceil(retryAfterS / MINUTE_S)} minutes`;
    if (retryAfterS > 0) throw tryLater(429, `Too many wrong passwords. Please ${wait} and try again`, retryAfterS);
    const { wrong, value } = await check();
    if (wrong) {
      await Promise.all(counts.map(({ key }) => limiter.penalty(key)));
      await delay(counts[0]);
    }
    if (value instanceof HttpError) throw value;
    if (!wrong) await known.set(counts[0].networkKey, 1, KNOWN_FOR_S);
    return value;
  }

  return {
    /** Marks a user's correct second-step code as used. Returns false if it was used before. */
    async useCode(userId: string, code: string): Promise<boolean> {
      const { consumedPoints } = await codes.penalty(keyOf(`${userId}\n${code}`));
      return consumedPoints === 1;
    },

    /**
     * Checks a password from an address. A wrong one counts toward the address's network, or toward `caller`: a known
     * browser or a signed-in user. An attempt whose client is `gone` no longer waits.
     * @throws the HttpError that `check` returned, or 429 if too many passwords were wrong or too many attempts wait
     */
    async attempt<T>(account: string, address: string, check: Check<T>, { caller, gone }: From = {}): Promise<T> {
      const network = siteOf(address);
      const from = caller ?? network;
      const [key, networkKey] = [keyOf(`${account}\n${from}`), keyOf(`${account}\n${network}`)];
      const ofDayKey = caller === undefined ? keyOf(account) : key;
      const ofAccount = { key, networkKey, ofDayKey, atMost: WRONG_A_MINUTE };
      const ofNetwork = { key: keyOf(from), atMost: WRONG_FROM_ADDRESS_A_MINUTE };
      const checkInTurn = () => checkUnlessSlowed([ofAccount, ofNetwork], check);
      const begin = async (): Promise<T> => {
        if (caller === undefined && !(await known.get(key))) return strangers.run(network, checkInTurn, gone);
        noteRequest(account);
        return familiar.run(account, checkInTurn, gone);
      };
      return ofAccounts.run(key, begin, gone);
    },
  };
}

type Count = { key: string; atMost: number };
/** `ofDayKey`: what wrong passwords of a day count toward. `networkKey`: what becomes known by a correct password. */
type AccountCount = Count & { ofDayKey: string; networkKey: string };
type From = { caller?: string | undefined; gone?: AbortSignal | undefined };
type Check<T> = () => Promise<Attempt<T>>;

export function delayAfter(count: number, { free, firstS, longestS }: Delays): number {
  return count <= free ? 0 : Math.min(longestS, firstS * 2 ** (Math.ceil(count / free) - 2));
}

const tooManyPeople = () => tryLater(429, "Too many people are signing in right now. Please try again", 1);

const keyOf = (text: string): string => createHash("sha256").update(text).digest("base64url");
