import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import { HttpError } from "../../http/http-error.ts";
import { createPasswordLimiter, delayAfter } from "./password-limiter.service.ts";

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

test("checks two passwords at once, queues sixty, and refuses more at once", async () => {
  const limiter = createPasswordLimiter(pool);
  const twoCheck = Promise.withResolvers<void>();
  let checking = 0;
  let most = 0;
  const attempt = (at: number) =>
    limiter.attempt(`person${at}`, "198.51.100.1", async () => {
      checking += 1;
      most = Math.max(most, checking);
      if (checking === 2) twoCheck.resolve();
      await twoCheck.promise;
      checking -= 1;
      return { wrong: false, value: null };
    });
  const admitted = Array.from({ length: 62 }, (_, at) => attempt(at));
  await expect(attempt(62)).rejects.toMatchObject({ status: 429, headers: { "retry-after": "1" } });
  expect(await endsOf(admitted)).toMatchObject({ checked: 62 });
  expect(most).toBe(2);
  expect(await endOf(attempt(63))).toBe("checked");
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
  // The two that are checked together may both be the hundredth.
  expect([40, 41]).toContain(checked);
  expect(checked + slowed).toBe(60);
  expect(await wave("third", 1, false)).toMatchObject({ slowed: 1 });
});

test("addresses of one IPv6 network are one caller, as are an IPv4 address and its IPv6 form", async () => {
  const limiter = createPasswordLimiter(pool);
  const wrong = (address: string) =>
    endOf(limiter.attempt("ipv6", address, async () => ({ wrong: true, value: null })));
  for (let host = 1; host <= 10; host += 1) expect(await wrong(`2001:db8:0:1::${host.toString(16)}`)).toBe("checked");
  expect(await wrong("2001:db8:0:1:ffff::1")).toBe("slowed");
  expect(await wrong("2001:db8:0:2::1")).toBe("checked");
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
