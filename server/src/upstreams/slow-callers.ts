import { pause } from "../concurrency/repeat.ts";
import { createShares } from "../concurrency/shares.ts";
import { LaneClosedError } from "./lane-slots.ts";

/** How much of a person's latest time in the lane counts. Cards before that count little. */
const MEMORY_MS = 300_000;
/** Everyone starts as if they already had this many normal cards. */
const ASSUMED_CARDS = 5;
/** If slow cards took at most this part of a person's time in the lane, their excess costs nothing. */
const FREE_PART = 0.5;
/** The cost of the excess if all of a person's cards are slow. It makes up for the first slow cards, which cost less. */
const HIGHEST_COST = 1.5;
/** Someone whose slow cards took a smaller part of their time in the lane never waits. */
const HARDLY = 0.05;
/** After a slow card, people who had one about as slow wait for this part of its excess. */
const APART = 0.25;
/** How long after a card its person still uses the lane: some look up one card after another by hand. */
const RECENT_MS = 10_000;
/** How long the latest list of people with jobs is used. While a slow card holds the lane, no one may ask for a new one. */
const JOBS_KNOWN_MS = 120_000;
/** Waits are short, because others may no longer need the lane. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
/** The longest wait in all. */
const LONGEST_MS = 1_800_000;
/** A single lookup that waits asks once a second. If it doesn't ask for so long, it was given up. */
const GIVEN_UP_MS = 3_000;
/** A card that asks again after so long begins a new wait. */
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

/** How long a person's cards held a slot of the lane, and how much of that was beyond a normal card's time. */
export type HeldLane = { userId: string; cards: number; heldMs: number; excessMs: number };

type Person = {
  /** What their cards have cost. Only the differences between people matter. */
  spentMs: number;
  /** How many cards they had, and how much longer these took than normal ones. Earlier ones count less. */
  cards: number;
  excessMs: number;
  /** The excess of their slowest card. Earlier cards count less. */
  longestExcessMs: number;
  inLine: number;
  inSlots: number;
  cardAt: number;
  /** When they were last known to have jobs, and when they were last seen at all. */
  jobsAt: number;
  seenAt: number;
  wait: Wait | null;
};

/** When the wait of a person's next card ends at the latest, and when the card asks again. */
type Wait = { endsAt: number; asksAt: number };

const NEW_PERSON: Readonly<Person> = {
  spentMs: 0,
  cards: 0,
  excessMs: 0,
  longestExcessMs: 0,
  inLine: 0,
  inSlots: 0,
  cardAt: -Infinity,
  jobsAt: -Infinity,
  seenAt: -Infinity,
  wait: null,
};

/** What is known about each person's cards, and what they have spent. */
function createPeople({ delayMs, now }: Pick<Required<SlowCallersOptions>, "delayMs" | "now">) {
  const people = new Map<string, Person>();
  let meanMs = 0;

  /** The part of a person's time in the lane that their slow cards took beyond normal ones. */
  const slowPart = ({ cards, excessMs }: Person): number =>
    excessMs === 0 ? 0 : excessMs / (excessMs + (cards + ASSUMED_CARDS) * delayMs);
  const expectedMs = ({ cards, excessMs }: Person): number => delayMs + (cards === 0 ? 0 : excessMs / cards);
  const stillAsks = ({ wait }: Person): boolean => wait !== null && now() < wait.asksAt + GIVEN_UP_MS;
  const hasCards = (person: Person): boolean =>
    person.inLine > 0 || person.inSlots > 0 || stillAsks(person) || now() - person.jobsAt < JOBS_KNOWN_MS;
  const usesLane = (person: Person): boolean => hasCards(person) || now() - person.cardAt < RECENT_MS;
  /** What a person has spent, including the expected cost of their cards in the lane's slots. */
  const spentBy = (person: Person): number => person.spentMs + person.inSlots * expectedMs(person);

  function updateMean(): void {
    for (const [userId, person] of people) if (now() - person.seenAt >= FORGOTTEN_MS) people.delete(userId);
    const using = [...people.values()].filter(usesLane);
    if (using.length > 0) meanMs = using.reduce((sum, person) => sum + spentBy(person), 0) / using.length;
  }

  /** Notes that a person has a card. They don't save up time while they have none. */
  function find(userId: string): Person {
    const person = people.get(userId) ?? { ...NEW_PERSON };
    if (!usesLane(person)) person.spentMs = Math.max(person.spentMs, meanMs);
    person.seenAt = now();
    people.set(userId, person);
    return person;
  }

  return {
    find,
    expectedMs,
    spentBy,
    /** What the people who use the lane have spent on average. */
    meanMs: () => meanMs,
    mayBeSlow: (person: Person): boolean => slowPart(person) > HARDLY || APART * person.longestExcessMs > delayMs,
    /** The people who need the lane: they have jobs for it, cards in it or waiting for it, or had one lately. */
    listInNeed(withJobs: readonly string[]): Person[] {
      const found = new Set(withJobs.map(find));
      for (const person of people.values()) person.jobsAt = found.has(person) ? now() : -Infinity;
      updateMean();
      return [...people.values()].filter(usesLane);
    },
    /** Notes a card, or several that are not slow. */
    add({ userId, cards, heldMs, excessMs }: HeldLane): void {
      const person = find(userId);
      const remembered = Math.exp(-heldMs / MEMORY_MS);
      person.cards = person.cards * remembered + cards;
      person.excessMs = person.excessMs * remembered + excessMs;
      // A card that is a little slow doesn't replace one that was much slower.
      person.longestExcessMs = Math.max(excessMs, person.longestExcessMs * remembered);
      person.cardAt = now();
      const cost = (HIGHEST_COST * Math.max(0, slowPart(person) - FREE_PART)) / (1 - FREE_PART);
      person.spentMs += heldMs - excessMs + excessMs * cost;
      updateMean();
    },
  };
}

/**
 * Gives each person about the same time in a lane, because a card that a grader never answers holds a slot until its
 * calls time out. A card costs the time that it held its slot. A person who has spent more than the mean of the people
 * who use the lane waits until the mean has caught up. Among the others, cards that are expected to take less time go
 * first. So other people's cards run between slow ones. No one waits if no one else uses the lane, and people whose cards
 * are normal never wait here.
 */
export function createSlowCallers(options: SlowCallersOptions) {
  const { longCallMs, delayMs, slots, closing, listPeopleWithJobs, now = () => performance.now() } = options;
  const people = createPeople({ delayMs, now });
  const { expectedMs, spentBy } = people;
  let withJobs: { at: number; people: Promise<readonly string[]> } | undefined;
  /** The slow card that makes people with cards about as slow wait for the longest time. */
  let slowCard = { at: -Infinity, excessMs: 0 };
  const apartUntil = ({ at, excessMs }: typeof slowCard): number => at + (APART * excessMs) / slots;

  /** The people who need the lane, with this one. Asks the database at most once a second. */
  async function listInNeed(person: Person): Promise<Person[]> {
    if (withJobs === undefined || now() - withJobs.at >= SHORTEST_WAIT_MS)
      withJobs = { at: now(), people: listPeopleWithJobs() };
    const inNeed = people.listInNeed(await withJobs.people);
    return inNeed.includes(person) ? inNeed : [...inNeed, person];
  }

  /** How many milliseconds a person's card has to wait until it asks again; 0 if it may go. */
  async function waitMs(userId: string): Promise<number> {
    const person = people.find(userId);
    if (!people.mayBeSlow(person)) return 0;
    const inNeed = await listInNeed(person);
    person.wait = waitIn(inNeed, person);
    return person.wait.asksAt - now();
  }

  /** The wait of a person's card while these people use the lane. If the card may go, `asksAt` is now. */
  function waitIn(inNeed: readonly Person[], person: Person): Wait {
    const mean = people.meanMs();
    const spent = spentBy(person);
    /** How long everyone's cards together take until the mean has caught up. */
    const aheadMs = (Math.max(0, spent - mean) * inNeed.length) / slots;
    const earlier = person.wait && now() - person.wait.asksAt < NEW_WAIT_MS ? person.wait : null;
    const endsAt = earlier?.endsAt ?? now() + Math.min(LONGEST_MS, aheadMs + expectedMs(person) / slots);
    // Those who wait themselves don't use the lane now.
    const others = inNeed.filter((other) => other !== person && (other.wait?.asksAt ?? 0) <= now());
    const comesFirst = (other: Person): boolean =>
      spentBy(other) <= mean && (aheadMs > 0 || spentBy(other) + expectedMs(other) < spent + expectedMs(person));
    const isFaster = (other: Person): boolean => other.longestExcessMs < person.longestExcessMs / 3;
    const mustWait = (now() < endsAt && others.some(comesFirst)) || (mayBeAsSlow(person) && others.some(isFaster));
    const nextMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, aheadMs));
    return { endsAt, asksAt: now() + (mustWait ? nextMs : 0) };
  }

  /** Charges a person for a card, or for several that are not slow. */
  function charge(held: HeldLane): void {
    people.add(held);
    const { excessMs } = held;
    const newest = { at: now(), excessMs };
    if (excessMs > 0 && apartUntil(newest) > apartUntil(slowCard)) slowCard = newest;
  }

  /** Whether people still wait after `slowCard`, and this person had a card about as slow: a third to three times. */
  function mayBeAsSlow({ longestExcessMs }: Person): boolean {
    const { excessMs } = slowCard;
    return now() < apartUntil(slowCard) && longestExcessMs >= excessMs / 3 && excessMs >= longestExcessMs / 3;
  }

  return {
    /** Notes that a person's card waits for a slot. Call `enter` when it has one, and `leave` at the end. */
    arrive(userId: string): { enter: () => void; leave: () => void } {
      const person = people.find(userId);
      let place: "inLine" | "inSlots" | null = "inLine";
      person.inLine += 1;
      const move = (to: "inSlots" | null): void => {
        if (place) person[place] -= 1;
        if (to) person[to] += 1;
        place = to;
      };
      const enter = (): void => {
        person.wait = null;
        move("inSlots");
      };
      return { enter, leave: () => move(null) };
    },

    /** Notes how long the calls for a person's card took. Returns how it held the lane. */
    note(userId: string, ms: number): HeldLane {
      const excessMs = ms >= longCallMs ? ms - delayMs : 0;
      const held = { userId, cards: 1, heldMs: Math.max(ms, delayMs), excessMs };
      charge(held);
      return held;
    },

    charge,

    waitMs,

    /** @throws LaneWaitError if the card has to wait */
    async demandNoWait(userId: string): Promise<void> {
      if ((await waitMs(userId)) > 0) throw new LaneWaitError("This person's cards have to wait after slow ones");
    },

    runSingle: createSingles({ slots, closing, waitMs }),
  };
}

type SinglesParts = Pick<SlowCallersOptions, "slots" | "closing"> & { waitMs: (userId: string) => Promise<number> };

/** Runs a single lookup or price. If it has to wait, runs it again after the wait. A few of a person's wait at a time. */
function createSingles({ slots, closing, waitMs }: SinglesParts) {
  const refuse = () => new LaneClosedError("The client disconnected");
  const shares = createShares({ total: Infinity, each: slots, refuse });

  async function waitOut(userId: string, stop: AbortSignal): Promise<void> {
    while (!stop.aborted && (await waitMs(userId)) > 0) await pause(SHORTEST_WAIT_MS, stop);
  }

  return <T>(userId: string, work: () => Promise<T>, givenUp: AbortSignal): Promise<T> => {
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
    return shares.run(userId, untilAdmitted, givenUp);
  };
}
