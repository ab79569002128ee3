import { pause } from "../concurrency/repeat.ts";
import { createShares } from "../concurrency/shares.ts";
import { LaneClosedError } from "./lane-slots.ts";

/** How much time in the lane a person's mean covers. Cards before that count little. */
const MEMORY_MS = 600_000;
/** Someone's cards are clearly faster than another person's if their mean excess is below this part of the other's. */
const CLEARLY = 0.9;
/** Someone who had a card about as slow before waits for at least this part of the kept time. */
const LEAST_PART = 0.2;
/** Someone whose slow cards took a smaller part of their time in the lane doesn't wait. */
const HARDLY = 0.05;
/** How much of the time in which clearly faster people use the lane counts for those who wait, against their slow cards. */
const MADE_UP = 0.75;
/** How long after a card its person needs the lane again: people look up single cards one after another. */
const RECENT_MS = 10_000;
/** Waits are short, because others may no longer need the lane. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
/** The longest wait in all. Four people whose cards take a minute wait for each other about half as long. */
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

type Person = {
  /** How many cards they had, and how much longer these took than normal ones. Earlier ones count less. */
  cards: number;
  excessMs: number;
  /** The excess of their slowest card. Earlier cards count less. */
  longestExcessMs: number;
  cardAt: number;
  /** The wait of their next card. */
  wait: Wait | null;
};

/** Since when a card waits, when it last asked, its person's mean excess, and whether it may go now. */
type Wait = { since: number; askedAt: number; meanMs: number; mayGo: boolean };

const NO_CARDS: Readonly<Person> = { cards: 0, excessMs: 0, longestExcessMs: 0, cardAt: -Infinity, wait: null };

/** The people who have jobs for the lane, or cards that wait for a slot. */
function createNeed({ listPeopleWithJobs, now }: Pick<Required<SlowCallersOptions>, "listPeopleWithJobs" | "now">) {
  const inLine = new Map<string, number>();
  let withJobs: { at: number; people: Promise<readonly string[]> } | undefined;
  let latest: ReadonlySet<string> = new Set();
  return {
    /** Notes that a person's card waits for a slot. Call the result when it no longer does. */
    arrive(userId: string): () => void {
      inLine.set(userId, (inLine.get(userId) ?? 0) + 1);
      let isHere = true;
      return () => {
        if (!isHere) return;
        isHere = false;
        const left = (inLine.get(userId) ?? 1) - 1;
        if (left > 0) inLine.set(userId, left);
        else inLine.delete(userId);
      };
    },
    /** Asks the database for the people with jobs at most once a second. */
    async list(): Promise<ReadonlySet<string>> {
      if (withJobs === undefined || now() - withJobs.at >= SHORTEST_WAIT_MS)
        withJobs = { at: now(), people: listPeopleWithJobs() };
      latest = new Set([...(await withJobs.people), ...inLine.keys()]);
      return latest;
    },
    latest: () => latest,
  };
}

/** A slow card after which the lane is kept for others: since when, for how long, and its person's mean excess then. */
type Keep = { userId: string; from: number; ms: number; meanMs: number };
/** Whose card asks, and how slow their cards are. */
type Asking = { userId: string; meanMs: number; longestExcessMs: number };

/** The slow cards after which the lane is still kept. */
function createKeeps({ delayMs, now }: Pick<Required<SlowCallersOptions>, "delayMs" | "now">) {
  let keeps: Keep[] = [];
  const endOf = ({ from, ms }: Keep): number => from + ms;

  /** Whether a person waits after this card. Others' later cards that keep the lane for longer replace a person's own. */
  function concerns(keep: Keep, userId: string): boolean {
    const isLatest = keep === keeps.at(-1) || keeps.every((other) => endOf(other) <= endOf(keep));
    return keep.userId !== userId || isLatest;
  }

  return {
    add(keep: Omit<Keep, "from">): void {
      keeps = [...keeps.filter((other) => now() < endOf(other)), { ...keep, from: now() }];
    },
    /** Until when a card waits for the sake of these faster people. */
    until({ userId, meanMs, longestExcessMs }: Asking, faster: readonly string[]): number {
      const slowShare = meanMs / (meanMs + delayMs);
      const ends = keeps
        .filter((keep) => concerns(keep, userId) && faster.some((other) => other !== keep.userId))
        .map(({ from, ms, meanMs: itsMeanMs }) => {
          const part = slowShare * Math.min(1, meanMs / itsMeanMs) * Math.min(ms, longestExcessMs);
          const isSimilar = longestExcessMs >= ms / 2 && ms >= longestExcessMs / 2;
          return from + Math.max(part, isSimilar ? LEAST_PART * ms : 0);
        });
      return Math.max(-Infinity, ...ends);
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
    const person = people.get(userId) ?? { ...NO_CARDS };
    people.set(userId, person);
    return person;
  }

  function forgetOld(): void {
    for (const [userId, person] of people) if (now() - person.cardAt >= FORGOTTEN_MS) people.delete(userId);
  }

  /** Whether a wait counts: its person has jobs or cards in line, or still asks. */
  const isWaiting = (userId: string, withCards: ReadonlySet<string>): boolean => {
    const wait = people.get(userId)?.wait;
    const sinceAsked = wait ? now() - wait.askedAt : Infinity;
    return sinceAsked < GIVEN_UP_MS || (withCards.has(userId) && sinceAsked < NEW_WAIT_MS);
  };

  return {
    get,
    /** The same, without keeping a record of someone who had no card. */
    find: (userId: string) => people.get(userId) ?? NO_CARDS,
    /** The people who had a card lately. */
    listRecent: () => [...people].flatMap(([userId, { cardAt }]) => (now() - cardAt < RECENT_MS ? [userId] : [])),
    isWaiting,
    listWaits: (withCards: ReadonlySet<string>) =>
      [...people].flatMap(([userId, person]) =>
        person.wait && isWaiting(userId, withCards) ? [{ ...person.wait, person }] : [],
      ),
    /** Notes a card that held the lane for so long, and how much of that was beyond a normal card's time. */
    addCard(userId: string, heldMs: number, excessMs: number): Person {
      forgetOld();
      const person = get(userId);
      const remembered = Math.exp(-heldMs / MEMORY_MS);
      person.cards = person.cards * remembered + 1;
      person.excessMs = person.excessMs * remembered + excessMs;
      // A card that is a little slow doesn't replace one that was much slower.
      person.longestExcessMs = Math.max(excessMs, person.longestExcessMs * remembered);
      person.cardAt = now();
      person.wait = null;
      return person;
    },
  };
}

/**
 * A card that a grader never answers holds a lane's slot until its calls time out. Afterward, the lane is kept for as
 * long for people whose cards are clearly faster on average. Others wait for a part of this time: the part of their own
 * time in the lane that their slow cards took, less if they have fewer slow cards than the person who had this one, but
 * at least a fifth if they had a card about as slow before. No one waits for longer than their own slowest card took,
 * or for people whose own cards wait. So slow cards take about half of a lane that others need. Of people whose cards
 * are about as slow, the one who has waited longest comes first.
 */
export function createSlowCallers(options: SlowCallersOptions) {
  const { longCallMs, delayMs, slots, closing, listPeopleWithJobs, now = () => performance.now() } = options;
  const refuse = () => new LaneClosedError("The client disconnected");
  const singles = createShares({ total: Infinity, each: slots, refuse });
  const people = createPeople(now);
  const need = createNeed({ listPeopleWithJobs, now });
  const keeps = createKeeps({ delayMs, now });
  const isHeldBack = (userId: string): boolean =>
    people.isWaiting(userId, need.latest()) && people.find(userId).wait?.mayGo === false;

  /** How many milliseconds a person's card has to wait until it asks again; 0 if it may go. */
  async function waitMs(userId: string): Promise<number> {
    const { wait, longestExcessMs, ...cards } = people.find(userId);
    const asking = { userId, meanMs: meanExcess(cards), longestExcessMs };
    const { meanMs } = asking;
    const since = wait && now() - wait.askedAt < NEW_WAIT_MS ? wait.since : now();
    const isSlow = meanMs > HARDLY * (meanMs + delayMs) || LEAST_PART * longestExcessMs > delayMs;
    const keptUntil = isSlow ? await untilNext(asking, since) : null;
    if (wait || keptUntil !== null)
      people.get(userId).wait = { since, askedAt: now(), meanMs, mayGo: keptUntil === null };
    return keptUntil === null ? 0 : Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, keptUntil - now()));
  }

  /** Until when the lane is kept for others. Null if the card is next; `since`: when it began to wait. */
  async function untilNext(asking: Asking, since: number): Promise<number | null> {
    const { userId, meanMs } = asking;
    const isFaster = (other: string): boolean => {
      const person = people.find(other);
      return meanExcess(person) < meanMs * CLEARLY || person.longestExcessMs <= asking.longestExcessMs / 2;
    };
    const inNeed = new Set([...(await need.list()), ...people.listRecent()]);
    const faster = [...inNeed].filter((other) => other !== userId && isFaster(other));
    if (faster.length === 0 || now() - since >= LONGEST_MS) return null;
    // People whose own cards wait don't use the lane now.
    const keptUntil = keeps.until(
      asking,
      faster.filter((other) => !isHeldBack(other)),
    );
    const isBehind = people
      .listWaits(need.latest())
      .some((wait) => wait.since < since && wait.meanMs * CLEARLY <= meanMs);
    return now() < keptUntil || isBehind ? keptUntil : null;
  }

  /** Those who wait make up for their slow cards while clearly faster people use the lane. */
  function letSlowerMakeUp(faster: Person, heldMs: number): void {
    const waiting = new Set(people.listWaits(need.latest()).map(({ person }) => person));
    const slower = [...waiting].filter((person) => meanExcess(faster) < meanExcess(person) * CLEARLY);
    for (const person of slower) person.excessMs = Math.max(0, person.excessMs - (heldMs * MADE_UP) / slower.length);
  }

  async function waitOut(userId: string, stop: AbortSignal): Promise<void> {
    while (!stop.aborted && (await waitMs(userId)) > 0) await pause(SHORTEST_WAIT_MS, stop);
  }

  return {
    arrive: need.arrive,

    /** Notes how long the calls for a person's card took. */
    note(userId: string, ms: number): void {
      const heldMs = Math.max(ms, delayMs);
      const excessMs = ms >= longCallMs ? ms - delayMs : 0;
      const person = people.addCard(userId, heldMs, excessMs);
      letSlowerMakeUp(person, heldMs);
      // With several slots, half of them stay for others if slow cards start this far apart.
      const keptMs = excessMs * Math.min(1, 2 / slots);
      if (keptMs > 0) keeps.add({ userId, ms: keptMs, meanMs: meanExcess(person) });
    },

    waitMs,

    /** Notes that a person's card left the lane without a call. If it was next, no one waits for it anymore. */
    noteNoCall(userId: string): void {
      const person = people.get(userId);
      if (person.wait?.mayGo) person.wait = null;
    },

    /** @throws LaneWaitError if the card has to wait */
    async demandNoWait(userId: string): Promise<void> {
      if ((await waitMs(userId)) > 0) throw new LaneWaitError("This person's cards have to wait after slow ones");
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
