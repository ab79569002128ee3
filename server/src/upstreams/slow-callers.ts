import { pause } from "../concurrency/repeat.ts";
import { createShares } from "../concurrency/shares.ts";
import { LaneClosedError } from "./lane-slots.ts";

/** How long a person's slow and fast cards are remembered. */
const REMEMBERED_MS = 600_000;
/** How many times the excess of slow cards makes the wait of people with several. */
const WAIT_FACTOR = 2;
/** After this many slow cards for each slow person, without a fast one in between, the upstream itself counts as slow. */
const SLOW_CARDS_EACH = 3;
const CHECK_AGAIN_MS = 500;

/** The caller's card must wait after slow cards. The work did not begin. */
class LaneWaitError extends LaneClosedError {
  override name = "LaneWaitError";
}

export type SlowCallersOptions = {
  /** A card whose calls take longer is slow. */
  longCallMs: number;
  /** How long a normal card keeps others from the lane. */
  delayMs: number;
  /** How many of a person's single cards may wait for the lane at a time. */
  each: number;
  closing: AbortSignal;
  now?: () => number;
};

/** `total`: the excess of the person's slow cards. Those of ten minutes ago count half. */
type SlowPerson = { at: number; excess: number; total: number; waitsUntil: number; hasSeveral: boolean };

/**
 * A card that a grader never answers holds a lane's slot until its calls time out. While other people's cards are fast,
 * the person's next card waits as long as the slow one took beyond the delay. After several slow cards in ten minutes,
 * the wait is longer, so that the slow cards of all such people together leave others about half of the lane.
 * A person waits only for people whose slow cards took at most half as long in total, and no one waits in an outage.
 */
export function createSlowCallers({
  longCallMs,
  delayMs,
  each,
  closing,
  now = () => performance.now(),
}: SlowCallersOptions) {
  const refuse = () => new LaneClosedError("The client disconnected");
  const singles = createShares({ total: Infinity, each, refuse });
  const slow = new Map<string, SlowPerson>();
  /** When each person's latest fast card ended, and how many slow cards had ended by then. */
  const fast = new Map<string, { at: number; slowCards: number }>();
  let slowCards = 0;

  function peopleWithFastCards(): string[] {
    const most = SLOW_CARDS_EACH * (slow.size + 1);
    const isRecent = (one: { at: number; slowCards: number }): boolean =>
      now() - one.at < REMEMBERED_MS && slowCards - one.slowCards <= most;
    return [...fast].flatMap(([person, one]) => (isRecent(one) ? [person] : []));
  }

  function totalOf(person: string): number {
    const one = slow.get(person);
    return one ? one.total * 2 ** ((one.at - now()) / REMEMBERED_MS) : 0;
  }

  /** How many milliseconds a person's next card has to wait. */
  function waitMs(person: string): number {
    const own = slow.get(person);
    if (!own || own.waitsUntil <= now()) return 0;
    const needsLane = (other: string): boolean => other !== person && 2 * totalOf(other) <= totalOf(person);
    return peopleWithFastCards().some(needsLane) ? own.waitsUntil - now() : 0;
  }

  /** Grows with the slow cards of others with several, but not because many people's cards are barely slow. */
  function waitAfter(person: string, excess: number, hasSeveral: boolean): number {
    if (!hasSeveral) return excess;
    const others = [...slow].flatMap(([other, one]) => (other !== person && one.hasSeveral ? [one.excess] : []));
    const ofAll = others.reduce((sum, one) => sum + one, excess);
    return WAIT_FACTOR * Math.min(ofAll, excess * (others.length + 1));
  }

  function forgetOld(): void {
    for (const people of [slow, fast])
      for (const [person, { at }] of people) if (now() - at >= REMEMBERED_MS) people.delete(person);
  }

  async function waitOut(person: string, stop: AbortSignal): Promise<void> {
    while (waitMs(person) > 0 && !stop.aborted) await pause(CHECK_AGAIN_MS, stop);
  }

  return {
    /** Notes how long the calls for a person's card took. A retry of a slow card doesn't count as another one. */
    note(person: string, ms: number, isRetry = false): void {
      forgetOld();
      if (ms < longCallMs) {
        fast.set(person, { at: now(), slowCards });
        return;
      }
      slowCards += 1;
      if (peopleWithFastCards().every((other) => other === person)) return;
      const excess = ms - delayMs;
      const before = slow.get(person);
      const hasSeveral = before !== undefined && (before.hasSeveral || !isRetry);
      const waitsUntil = now() + waitAfter(person, excess, hasSeveral);
      const total = totalOf(person) + (isRetry ? 0 : excess);
      slow.set(person, { at: now(), excess, total, waitsUntil, hasSeveral });
    },

    waitMs,

    /** @throws LaneWaitError if the person's next card has to wait */
    demandNoWait(person: string): void {
      if (waitMs(person) > 0) throw new LaneWaitError("This person's cards have to wait after slow ones");
    },

    /** Runs a single lookup or price. If it has to wait, runs it again after the wait. A few of a person's wait at a time. */
    runSingle<T>(person: string, work: () => Promise<T>, givenUp: AbortSignal): Promise<T> {
      const stop = AbortSignal.any([closing, givenUp]);
      const untilAdmitted = async (): Promise<T> => {
        for (;;) {
          try {
            return await work();
          } catch (error) {
            if (!(error instanceof LaneWaitError) || stop.aborted) throw error;
          }
          await waitOut(person, stop);
        }
      };
      return singles.run(person, untilAdmitted, givenUp);
    },
  };
}
