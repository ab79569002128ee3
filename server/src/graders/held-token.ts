import { createSingleFlight } from "../concurrency/single-flight.ts";
import type { Reading } from "./grader.ts";

/** A token that is used `until` a time in milliseconds, and what fetches the next one without a password. */
export type FreshToken = { token: string; until: number; refreshToken: string | null };
export type HeldToken = ReturnType<typeof holdToken>;

/** Keeps an account's token for an API. Cards share a request for one, and a failed request is not cached. */
export function holdToken(
  accountNow: () => string,
  fetchToken: (refreshToken: string | null) => Promise<Reading<FreshToken>>,
  now: () => Date,
) {
  let held: (FreshToken & { account: string }) | null = null;
  const flights = createSingleFlight<Reading<string>>();
  const heldNow = () => (held?.account === accountNow() ? held : null);

  function inOneFlight(refreshToken: string | null): Promise<Reading<string>> {
    const account = accountNow();
    return flights.run(account, async () => {
      const fetched = await fetchToken(refreshToken);
      held = fetched.ok ? { ...fetched.value, account } : null;
      return fetched.ok ? { ok: true, value: fetched.value.token } : fetched;
    });
  }

  async function token(): Promise<Reading<string>> {
    const known = heldNow();
    if (known && known.until > now().getTime()) return { ok: true, value: known.token };
    return inOneFlight(known?.refreshToken ?? null);
  }

  /** Drops a token that a call refused, unless a newer one has replaced it. */
  function forget(refused: string): void {
    if (held?.token === refused) held = null;
  }

  return {
    token,
    forget,
    /** Signs in with the password even if a token is held. If that fails, the held token stays. */
    async renew(): Promise<Reading<string>> {
      // A refresh in flight doesn't check the password, so wait for it and then sign in.
      if (heldNow()?.refreshToken) await flights.current(accountNow());
      const before = heldNow();
      const renewed = await inOneFlight(null);
      if (!renewed.ok) held ??= before;
      return renewed;
    },
    /** Makes a call with the token. If it is refused, forgets it and calls once more with a new one. */
    async call<T>(work: (token: string) => Promise<T>, isRefused: (answer: T) => boolean): Promise<Reading<T>> {
      for (let tries = 1; ; tries += 1) {
        const current = await token();
        if (!current.ok) return current;
        const answer = await work(current.value);
        if (!isRefused(answer)) return { ok: true, value: answer };
        forget(current.value);
        if (tries === 2) return { ok: true, value: answer };
      }
    },
  };
}
