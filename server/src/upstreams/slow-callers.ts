import { pause } from "../concurrency/repeat.ts";
import { createShares } from "../concurrency/shares.ts";
import { LaneClosedError } from "./lane-slots.ts";

/** How much time in the lane a person's mean covers. Cards before that count little. */
const MEMORY_MS = 600_000;
/** Someone's cards are clearly faster than another person's if their mean excess is below this part of the other's. */
const CLEARLY = 0.75;
/** Someone whose slow cards took a smaller part of their time in the lane doesn't wait. */
const HARDLY = 0.05;
/** How much of the time in which clearly faster people use the lane counts for those who wait, against their slow cards. */
const MADE_UP = 0.5;
/** How long after a card its person needs the lane again: people look up single cards one after another. */
const RECENT_MS = 10_000;
/** Waits are short, because others may no longer need the lane. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
/** The longest wait in all. Four people whose cards and retries take a minute wait for each other about half as long. */
const LONGEST_MS = 1_800_000;
/** A single lookup that waits asks once a second. If it doesn't ask for so long, it was given up. */
const GIVEN_UP_MS = 3_000;
/** Who asks again after so long begins a new wait, and no one waits for them. A card's calls can take 90 s. */
const NEW_WAIT_MS = 180_000;
const FORGOTTEN_MS = 3_600_000;

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
  /** How many cards they had, and how much longer these took than normal ones. Earlier ones count less. */
  cards: number;
  excessMs: number;
  /** The excess of their slowest card. Earlier cards count less. */
  longestExcessMs: number;
  cardAt: number;
  /** The waits of their next card and of their next retry. */
  waits: { card: Wait | null; retry: Wait | null };
};

/** Since when a card waits, when it last asked, and its person's mean excess. */
type Wait = { since: number; askedAt: number; meanMs: number };

const NO_CARDS = { cards: 0, excessMs: 0, longestExcessMs: 0 };

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

/** Returns how much longer a person's cards took than normal ones, on average. */
function meanExcess({ cards, excessMs }: Pick<Person, "cards" | "excessMs">): number {
  return cards === 0 ? 0 : excessMs / cards;
}

/** What is known about each person's cards. */
function createPeople(now: () => number) {
  const people = new Map<string, Person>();

  function get(userId: string): Person {
    const person = people.get(userId) ?? { ...NO_CARDS, cardAt: now(), waits: { card: null, retry: null } };
    people.set(userId, person);
    return person;
  }

  function forgetOld(): void {
    for (const [userId, person] of people) if (now() - person.cardAt >= FORGOTTEN_MS) people.delete(userId);
  }

  const isAsking = (wait: Wait | null): boolean => wait !== null && now() - wait.askedAt < GIVEN_UP_MS;
  const isNew = (wait: Wait): boolean => now() - wait.askedAt < NEW_WAIT_MS;
  const isHere = ({ cardAt, waits }: Person): boolean =>
    now() - cardAt < RECENT_MS || isAsking(waits.card) || isAsking(waits.retry);

  return {
    get,
    /** The same, without keeping a record of someone who had no card. */
    find: (userId: string) => people.get(userId) ?? NO_CARDS,
    /** The people who had a card lately, or still ask. */
    listHere: () => [...people].flatMap(([userId, person]) => (isHere(person) ? [userId] : [])),
    /** The waits of people with jobs, or cards in line, and those that still ask. */
    listWaits: (withCards: ReadonlySet<string>) =>
      [...people].flatMap(([userId, person]) =>
        [person.waits.card, person.waits.retry].flatMap((wait) =>
          wait && (isAsking(wait) || (withCards.has(userId) && isNew(wait))) ? [{ ...wait, person }] : [],
        ),
      ),
    /** Notes a card that held the lane for so long, and how much of that was beyond a normal card's time. */
    addCard({ userId, isRetry = false }: CardOf, heldMs: number, excessMs: number): Person {
      forgetOld();
      const person = get(userId);
      const remembered = Math.exp(-heldMs / MEMORY_MS);
      person.cards = person.cards * remembered + 1;
      person.excessMs = person.excessMs * remembered + excessMs;
      // A card that is a little slow doesn't replace one that was much slower.
      person.longestExcessMs = Math.max(excessMs, person.longestExcessMs * remembered);
      person.cardAt = now();
      person.waits[isRetry ? "retry" : "card"] = null;
      return person;
    },
  };
}

/**
 * A card that a grader never answers holds a lane's slot until its calls time out. Afterward, the lane is kept for as
 * long for people whose cards are clearly faster on average. Others wait for a part of this time: the part of their own
 * time in the lane that their slow cards took, less if they have fewer slow cards than the person who had this one. No
 * one waits for longer than their own slowest card took. So slow cards take about half of a lane that others need. Of
 * people whose cards are about as slow, the one who has waited longest comes first.
 */
export function createSlowCallers(options: SlowCallersOptions) {
  const { longCallMs, delayMs, slots, closing, listPeopleWithJobs, now = () => performance.now() } = options;
  const refuse = () => new LaneClosedError("The client disconnected");
  const singles = createShares({ total: Infinity, each: slots, refuse });
  const people = createPeople(now);
  const line = createLine();
  /** When the lane is kept for others, for how long, and after whose card. */
  let kept = { from: -Infinity, ms: 0, userId: "", meanMs: 0 };
  let withJobs: { at: number; people: Promise<readonly string[]> } | undefined;
  /** The people with jobs or cards in line, as of the last wait. */
  let withCards: ReadonlySet<string> = new Set();

  async function listInNeed(): Promise<string[]> {
    if (withJobs === undefined || now() - withJobs.at >= SHORTEST_WAIT_MS)
      withJobs = { at: now(), people: listPeopleWithJobs() };
    withCards = new Set([...(await withJobs.people), ...line.people()]);
    return [...new Set([...withCards, ...people.listHere()])];
  }

  /** How long a person with this mean excess waits after the last slow card. */
  function partOfKept(meanMs: number, longestExcessMs: number): number {
    const slowShare = meanMs / (meanMs + delayMs);
    return slowShare * Math.min(1, meanMs / kept.meanMs) * Math.min(kept.ms, longestExcessMs);
  }

  /** How many milliseconds a card has to wait until it asks again; 0 if it may go. */
  async function waitMs({ userId, isRetry = false }: CardOf): Promise<number> {
    const { longestExcessMs, ...cards } = people.find(userId);
    const ownMeanMs = meanExcess(cards);
    const meanMs = isRetry ? Math.max(kept.ms, longestExcessMs) : ownMeanMs;
    if (meanMs <= HARDLY * (meanMs + delayMs)) return 0;
    const isFaster = (other: string): boolean => meanExcess(people.find(other)) < meanMs * CLEARLY;
    const faster = (await listInNeed()).filter((other) => other !== userId && isFaster(other));
    if (faster.length === 0) return 0;
    const keptUntil = kept.from + (isRetry ? kept.ms : partOfKept(meanMs, longestExcessMs));
    const isKept = now() < keptUntil && faster.some((other) => other !== kept.userId);
    const { waits } = people.get(userId);
    const kind = isRetry ? "retry" : "card";
    const before = waits[kind];
    const since = before && now() - before.askedAt < NEW_WAIT_MS ? before.since : now();
    const isEarlier = (wait: Wait): boolean => wait.since < since && wait.meanMs * CLEARLY <= meanMs;
    const isNext = !isKept && !people.listWaits(withCards).some(isEarlier);
    if (isNext || now() - since >= LONGEST_MS) return 0;
    // People whose cards are slower also wait for a retry.
    waits[kind] = { since, askedAt: now(), meanMs: ownMeanMs };
    return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, keptUntil - now()));
  }

  /** Those who wait make up for their slow cards while clearly faster people use the lane. */
  function letSlowerMakeUp(faster: Person, heldMs: number): void {
    const waiting = new Set(people.listWaits(withCards).map(({ person }) => person));
    const slower = [...waiting].filter((person) => meanExcess(faster) < meanExcess(person) * CLEARLY);
    for (const person of slower) person.excessMs = Math.max(0, person.excessMs - (heldMs * MADE_UP) / slower.length);
  }

  async function waitOut(userId: string, stop: AbortSignal): Promise<void> {
    while (!stop.aborted && (await waitMs({ userId })) > 0) await pause(SHORTEST_WAIT_MS, stop);
  }

  return {
    arrive: line.arrive,

    /** Notes how long the calls for a person's card took. */
    note(card: CardOf, ms: number): void {
      const heldMs = Math.max(ms, delayMs);
      const excessMs = ms >= longCallMs ? ms - delayMs : 0;
      const person = people.addCard(card, heldMs, excessMs);
      letSlowerMakeUp(person, heldMs);
      // With several slots, half of them stay for others if slow cards start this far apart.
      const keptMs = excessMs * Math.min(1, 2 / slots);
      if (keptMs > 0 && now() + keptMs > kept.from + kept.ms)
        kept = { from: now(), ms: keptMs, userId: card.userId, meanMs: meanExcess(person) };
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
