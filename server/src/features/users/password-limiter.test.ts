import { setImmediate, setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBudgets } from "../../concurrency/budgets.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import { HttpError } from "../../http/http-error.ts";
import { createPasswordLimiter, delayAfter, type PasswordLimiter } from "./password-limiter.service.ts";

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ ...database.settings, max: 4 });
});
afterAll(async () => {
  await pool.end();
  await database.end();
});

/** Whether a password was checked; if not, why. */
const endOf = (attempt: Promise<unknown>): Promise<"checked" | "slowed" | "too busy"> =>
  attempt.then(
    () => "checked",
    (error: unknown) => {
      if (!(error instanceof HttpError) || error.status !== 429) throw error;
      return error.message.startsWith("Too many people") ? "too busy" : "slowed";
    },
  );
const endsOf = async (attempts: Promise<unknown>[]) => {
  const ends = await Promise.all(attempts.map(endOf));
  return {
    checked: ends.filter((end) => end === "checked").length,
    slowed: ends.filter((end) => end === "slowed").length,
  };
};

/** Attempts that end when `finish` is called. `checking` are the addresses whose passwords are being checked. */
function hold(limiter: PasswordLimiter) {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const checking: string[] = [];
  const attempt = (account: string, address: string, gone?: AbortSignal) => {
    const check = async () => {
      checking.push(address);
      await promise;
      return { wrong: false, value: null };
    };
    return limiter.attempt(account, address, check, { gone });
  };
  return { attempt, checking, finish };
}
const REFUSED = { status: 429, headers: { "retry-after": "1" } };

test("checks one password of a network at a time, queues sixty, refuses more, and leaves room for other networks", async () => {
  const limiter = createPasswordLimiter(pool);
  const { attempt, checking, finish } = hold(limiter);
  const [flooding, other] = ["198.51.100.1", "198.51.100.8"];
  const admitted = [attempt("person0", flooding)];
  await expect.poll(() => checking, { timeout: 20_000 }).toEqual([flooding]);
  const flood = Array.from({ length: 61 }, (_, at) => attempt(`person${at + 1}`, flooding));
  // Sixty wait, and nothing ends before `finish`. So the first that ends is refused.
  await expect(Promise.race(flood)).rejects.toMatchObject(REFUSED);
  admitted.push(attempt("somebody", other));
  await expect.poll(() => checking, { timeout: 20_000 }).toEqual([flooding, other]);
  finish();
  expect((await Promise.all(flood.map(endOf))).filter((end) => end === "too busy")).toHaveLength(1);
  expect(await endsOf(admitted)).toMatchObject({ checked: 2 });
});

test("an attempt whose client disconnects no longer waits, and is never checked", async () => {
  const limiter = createPasswordLimiter(pool);
  const { attempt, checking, finish } = hold(limiter);
  const network = "2001:db8:5::1";
  const first = attempt("person1", network);
  await expect.poll(() => checking, { timeout: 20_000 }).toEqual([network]);
  const client = new AbortController();
  const left = attempt("person2", "2001:db8:5:ffff::1", client.signal);
  client.abort();
  await expect(left).rejects.toMatchObject(REFUSED);
  finish();
  await first;
  expect(checking).toEqual([network]);
});

test("an account that signs in from many browsers takes turns with a colleague", async () => {
  const limiter = createPasswordLimiter(pool);
  const signIn = async () => ({ wrong: false, value: null });
  const [address, browsers] = ["198.51.100.21", Array.from({ length: 5 }, (_, at) => `browser ${at}`)];
  for (const browser of browsers) await limiter.attempt("eve", address, signIn, { caller: browser });
  const begun: string[] = [];
  const first = Promise.withResolvers<void>();
  const attempt = (account: string, browser: string) => {
    const check = async () => {
      begun.push(account);
      await first.promise;
      return { wrong: false, value: null };
    };
    return limiter.attempt(account, address, check, { caller: browser });
  };
  const eves = browsers.map((browser) => attempt("eve", browser));
  await expect.poll(() => begun, { timeout: 20_000 }).toEqual(["eve"]);
  const dave = attempt("dave", "Dave's browser");
  // An attempt from a known browser joins the queue without asking the database.
  await setImmediate();
  first.resolve();
  await Promise.all([...eves, dave]);
  expect(begun.indexOf("dave")).toBeLessThan(3);
});

test("an account that signs in repeatedly has to wait while others sign in", async () => {
  const budgets = createBudgets({ burstMs: 1_000, share: 0.1, withinMs: 60_000 });
  const limiter = createPasswordLimiter(pool, undefined, budgets);
  const signIn = async () => ({ wrong: false, value: "signed in" });
  const attempt = (account: string) =>
    limiter.attempt(account, "198.51.100.31", signIn, { caller: `browser of ${account}` });
  expect(await attempt("ida")).toBe("signed in");
  budgets.spend("gus", 60_000);
  expect(await Promise.race([attempt("gus"), pause(200, "waits")])).toBe("waits");
  expect(await attempt("ida")).toBe("signed in");
});

test("strangers who fill the queue do not delay a network from which the user signed in before", async () => {
  const limiter = createPasswordLimiter(pool);
  expect(await endOf(limiter.attempt("known", "198.51.100.11", async () => ({ wrong: false, value: null })))).toBe(
    "checked",
  );
  const { attempt, checking, finish } = hold(limiter);
  const waiting = Array.from({ length: 20 }, (_, at) => attempt("known", `192.0.2.${at + 100}`));
  await expect.poll(() => checking, { timeout: 20_000 }).toHaveLength(2);
  expect(await endOf(limiter.attempt("known", "198.51.100.11", async () => ({ wrong: false, value: null })))).toBe(
    "checked",
  );
  finish();
  expect(await endsOf(waiting)).toMatchObject({ checked: 20 });
});

test("wrong passwords from many networks don't delay a known browser, a signed-in user, or where they signed in", async () => {
  const limiter = createPasswordLimiter(pool);
  const attempt = (wrong: boolean, address: string, caller?: string) =>
    endOf(limiter.attempt("carol", address, async () => ({ wrong, value: null }), { caller }));
  for (let host = 1; host <= 25; host += 1) await attempt(true, `203.0.113.${host}`);
  for (const caller of ["browser 1", "user 1"])
    for (const wrong of [true, false]) expect(await attempt(wrong, "198.51.100.31", caller)).toBe("checked");
  // The sign-in from the known browser makes its network known.
  for (const wrong of [true, false]) expect(await attempt(wrong, "198.51.100.31")).toBe("checked");
  expect([await attempt(true, "198.51.100.32"), await attempt(false, "198.51.100.32")]).toEqual(["checked", "slowed"]);
});

test.each([
  ["a known browser", "dora", "198.51.100.33", "browser of Dora"],
  ["a signed-in user", "dave", "user 7", "user 7"],
])(
  "%s is delayed after too many of their own wrong passwords in a day, even after a correct one",
  async (_, account, ...from) => {
    const delays = { free: 4, firstS: 30, longestS: 60 };
    const limiter = createPasswordLimiter(pool, delays);
    const [address, caller] = from;
    const attempt = (wrong: boolean) =>
      endOf(limiter.attempt(account, address, async () => ({ wrong, value: null }), { caller }));
    expect(await attempt(false)).toBe("checked");
    for (let tries = 0; tries < 5; tries += 1) expect(await attempt(true)).toBe("checked");
    expect(await attempt(true)).toBe("slowed");
  },
);

test("twenty attempts of an account and network wait; more are refused at once", async () => {
  const limiter = createPasswordLimiter(pool);
  const { attempt, finish } = hold(limiter);
  const admitted = Array.from({ length: 21 }, () => attempt("impatient", "198.51.100.12"));
  await expect(attempt("impatient", "198.51.100.12")).rejects.toMatchObject(REFUSED);
  finish();
  expect(await endsOf(admitted)).toMatchObject({ checked: 21 });
});

test("a burst over many accounts ends at a hundred failures; successes do not count", async () => {
  const limiter = createPasswordLimiter(pool);
  const wave = (name: string, count: number, wrong: boolean) =>
    endsOf(
      Array.from({ length: count }, (_, at) =>
        limiter.attempt(`${name}${at}`, "198.51.100.2", async () => ({ wrong, value: null })),
      ),
    );
  expect(await wave("right", 60, false)).toMatchObject({ checked: 60 });
  expect(await wave("first", 60, true)).toMatchObject({ checked: 60 });
  const { checked, slowed } = await wave("second", 60, true);
  expect(checked).toBe(40);
  expect(checked + slowed).toBe(60);
  expect(await wave("third", 1, false)).toMatchObject({ slowed: 1 });
});

test("addresses of one IPv6 network are one caller, as are an IPv4 address and its IPv6 form", async () => {
  const limiter = createPasswordLimiter(pool);
  const wrong = (address: string) =>
    endOf(limiter.attempt("ipv6", address, async () => ({ wrong: true, value: null })));
  for (let host = 1; host <= 10; host += 1) expect(await wrong(`2001:db8:0:1::${host.toString(16)}`)).toBe("checked");
  expect(await wrong("2001:db8:0:ffff::1")).toBe("slowed");
  expect(await wrong("2001:db8:1::1")).toBe("checked");
  for (let time = 0; time < 10; time += 1)
    expect(await wrong(time % 2 === 0 ? "198.51.100.7" : "::ffff:198.51.100.7")).toBe("checked");
  expect(await wrong("198.51.100.7")).toBe("slowed");
});

test("a check that throws releases its slot", async () => {
  const limiter = createPasswordLimiter(pool);
  const outage = async () => {
    throw new Error("the database is away");
  };
  for (let at = 0; at < 4; at += 1) {
    await expect(limiter.attempt(`person${at}`, "198.51.100.3", outage)).rejects.toThrow("the database is away");
  }
  const answer = await limiter.attempt("person", "198.51.100.3", async () => ({ wrong: false, value: "in" }));
  expect(answer).toBe("in");
});

test("wrong passwords from many networks delay each of them, but no first attempt and no network of a recent sign-in", async () => {
  const limiter = createPasswordLimiter(pool, { free: 3, firstS: 30, longestS: 900 });
  const attempt = (address: string, wrong: boolean) =>
    endOf(limiter.attempt("victim", address, async () => ({ wrong, value: null })));
  expect(await attempt("192.0.2.1", false)).toBe("checked");
  for (let host = 2; host <= 4; host += 1) expect(await attempt(`192.0.2.${host}`, true)).toBe("checked");
  for (let host = 2; host <= 4; host += 1) {
    expect(await attempt(`192.0.2.${host}`, true)).toBe("checked");
    expect(await attempt(`192.0.2.${host}`, false)).toBe("slowed");
  }
  for (let time = 0; time < 9; time += 1) expect(await attempt("192.0.2.1", true)).toBe("checked");
  expect(await attempt("192.0.2.1", false)).toBe("checked");
  expect(await attempt("192.0.2.5", false)).toBe("checked");
});

test("the delay doubles up to its limit", () => {
  const delays = { free: 20, firstS: 30, longestS: 900 };
  const counts = [20, 21, 40, 41, 61, 100, 120, 121, 10_000];
  expect(counts.map((count) => delayAfter(count, delays))).toEqual([0, 30, 30, 60, 120, 240, 480, 900, 900]);
});
