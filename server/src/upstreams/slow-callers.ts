import { pause } from "../concurrency/repeat.ts";
import { createShares } from "../concurrency/shares.ts";
import { LaneClosedError } from "./lane-slots.ts";

/** How much a person's newest card counts in their share of slow cards. */
const NEWEST_SHARE = 0.5;
/** The difference in these shares from which one person's card is more likely to be slow than another's. */
const CLEARLY = 0.05;
/** How long after a card its person needs the lane again: people look up single cards one after another. */
const RECENT_MS = 10_000;
/** Waits are short, because others may no longer need the lane. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
/** Someone who waits and doesn't ask again for so long has given up. A card's calls can take one and a half minutes. */
const GIVEN_UP_MS = 180_000;
/** The longest wait in all: this many times a slow card's excess for each person who waits. Half of it should be enough. */
const MOST_EXCESSES = 4;
const FORGOTTEN_MS = 600_000;

/** The caller's card must wait after slow cards. The work did not begin. */
class LaneWaitError extends LaneClosedError {
  override name = "LaneWaitError";
}

export type SlowCallersOptions = {
  /** A card whose calls take longer is slow. */
  longCallMs: number;
  /** How long a normal card keeps others from the lane. */
  delayMs: number;
  /** The lane's slots. As many single cards of each person may wait for the lane at a time. */
  slots: number;
  closing: AbortSignal;
  /** The people who have jobs for the lane. */
  listPeopleWithJobs: () => Promise<readonly string[]>;
  now?: () => number;
};

/** Whose card it is, and whether its last lookup timed out. */
type CardOf = { userId: string; isRetry?: boolean };

type Person = {
  /** The share of slow ones among the latest cards, and the time that the last one took beyond a normal card's. */
  slowShare: number;
  excessMs: number;
  cardAt: number;
  /** Since when the next card waits, and when it last asked. */
  waits: { since: number; askedAt: number } | null;
};

/** The people whose cards wait for a slot of the lane. */
function createLine() {
  const cards = new Map<string, number>();
  return {
    people: () => cards.keys(),
    /** Notes that a person's card waits for a slot. Call the result when it no longer does. */
    arrive(userId: string): () => void {
      cards.set(userId, (cards.get(userId) ?? 0) + 1);
      let isHere = true;
      return () => {
        if (!isHere) return;
        isHere = false;
        const left = (cards.get(userId) ?? 1) - 1;
        if (left > 0) cards.set(userId, left);
        else cards.delete(userId);
      };
    },
  };
}

/**
 * A card that a grader never answers holds a lane's slot until its calls time out. Afterward, the lane is kept for as
 * long for people whose cards are less likely to be slow. Someone whose cards are always slow waits for all of this time,
 * someone whose latest card was slow for half of it, and no one for longer than their own slow card took. So slow cards
 * take about half of a lane that others need. Of people whose cards are about as slow, the one who has waited longest
 * comes first.
 */
export function createSlowCallers(options: SlowCallersOptions) {
  const { longCallMs, delayMs, slots, closing, listPeopleWithJobs, now = () => performance.now() } = options;
  const refuse = () => new LaneClosedError("The client disconnected");
  const singles = createShares({ total: Infinity, each: slots, refuse });
  const people = new Map<string, Person>();
  const line = createLine();
  /** When the lane is kept for others, and for how long. */
  let kept = { from: -Infinity, ms: 0 };
  let withJobs: { at: number; people: Promise<readonly string[]> } | undefined;

  function personOf(userId: string): Person {
    const person = people.get(userId) ?? { slowShare: 0, excessMs: 0, cardAt: now(), waits: null };
    people.set(userId, person);
    return person;
  }

  const slownessOf = (userId: string): number => people.get(userId)?.slowShare ?? 0;
  const isWaiting = ({ waits }: Person): boolean => waits !== null && now() - waits.askedAt < GIVEN_UP_MS;

  async function peopleInNeed(): Promise<Set<string>> {
    if (withJobs === undefined || now() - withJobs.at >= SHORTEST_WAIT_MS)
      withJobs = { at: now(), people: listPeopleWithJobs() };
    const isHere = (person: Person): boolean => now() - person.cardAt < RECENT_MS || isWaiting(person);
    const here = [...people].flatMap(([userId, person]) => (isHere(person) ? [userId] : []));
    return new Set([...(await withJobs.people), ...line.people(), ...here]);
  }

  /** How many milliseconds a card has to wait until it asks again; 0 if it may go. */
  async function waitMs({ userId, isRetry = false }: CardOf): Promise<number> {
    const slowness = isRetry ? 1 : slownessOf(userId);
    if (slowness <= CLEARLY) return 0;
    const person = personOf(userId);
    const keptUntil = kept.from + (isRetry ? kept.ms : slowness * Math.min(kept.ms, person.excessMs));
    const inNeed = now() < keptUntil ? await peopleInNeed() : [];
    const isKept = [...inNeed].some((other) => other !== userId && slownessOf(other) < slowness - CLEARLY);
    const { since } = person.waits ?? { since: now() };
    const waiting = [...people.values()].filter((other) => other !== person && isWaiting(other));
    const isEarlier = (other: Person): boolean =>
      (other.waits?.since ?? Infinity) < since &&
      other.slowShare <= slowness + CLEARLY &&
      other.slowShare * other.excessMs <= slowness * person.excessMs;
    if (!isKept && !waiting.some(isEarlier)) return 0;
    if (person.waits && now() - since >= MOST_EXCESSES * person.excessMs * (waiting.length + 1)) return 0;
    person.waits = { since, askedAt: now() };
    return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, keptUntil - now()));
  }

  async function waitOut(userId: string, stop: AbortSignal): Promise<void> {
    while (!stop.aborted && (await waitMs({ userId })) > 0) await pause(SHORTEST_WAIT_MS, stop);
  }

  function forgetOld(): void {
    for (const [userId, person] of people)
      if (now() - person.cardAt >= FORGOTTEN_MS && !isWaiting(person)) people.delete(userId);
  }

  return {
    arrive: line.arrive,

    /** Notes how long the calls for a person's card took. */
    note(userId: string, ms: number): void {
      forgetOld();
      const isSlow = ms >= longCallMs;
      const person = personOf(userId);
      person.slowShare += (Number(isSlow) - person.slowShare) * NEWEST_SHARE;
      person.cardAt = now();
      person.waits = null;
      if (!isSlow) return;
      person.excessMs = ms - delayMs;
      // With several slots, half of them stay for others if slow cards start this far apart.
      const keptMs = person.excessMs * Math.min(1, 2 / slots);
      if (now() + keptMs > kept.from + kept.ms) kept = { from: now(), ms: keptMs };
    },

    waitMs,

    /** @throws LaneWaitError if the card has to wait */
    async demandNoWait(card: CardOf): Promise<void> {
      if ((await waitMs(card)) > 0) throw new LaneWaitError("This person's cards have to wait after slow ones");
    },

    /** Runs a single lookup or price. If it has to wait, runs it again after the wait. A few of a person's wait at a time. */
    runSingle<T>(userId: string, work: () => Promise<T>, givenUp: AbortSignal): Promise<T> {
      const stop = AbortSignal.any([closing, givenUp]);
      const untilAdmitted = async (): Promise<T> => {
        for (;;) {
          try {
            return await work();
          } catch (error) {
            if (!(error instanceof LaneWaitError) || stop.aborted) throw error;
          }
          await waitOut(userId, stop);
        }
      };
      return singles.run(userId, untilAdmitted, givenUp);
    },
  };
}
