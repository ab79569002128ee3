import type { ScanEvent, ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "./errors.ts";
import {
  type ChannelHandlers,
  type EventChannel,
  isSettled,
  POLL_INTERVAL_MS,
  ScanStream,
  type StreamPorts,
  type StreamState,
} from "./scan-stream.ts";

function session(eventSeq: number, change: Partial<ScanSession> = {}): ScanSession {
  return {
    id: "s1",
    sessionName: "dallas-show.csv - Nov 21, 2026",
    csvFilename: "dallas-show.csv",
    totalCards: 3,
    processedCards: 1,
    processingMode: "api-with-fallback",
    includePricing: false,
    status: "processing",
    isPartial: false,
    startedAt: "2026-11-21T10:00:00.000Z",
    completedAt: null,
    uploadDate: "2026-11-21T10:00:00.000Z",
    counts: { pending: 2, completed: 1 },
    causes: {},
    waits: [],
    prices: { pending: 0, waiting: 0, waits: [] },
    offerRule: null,
    eventSeq,
    ...change,
  };
}

const finished = (eventSeq: number): ScanSession =>
  session(eventSeq, { status: "completed", counts: { completed: 3 } });

const gone = (): ApiError =>
  new ApiError("There is no such session", { status: 404, code: "no_such_thing", requestId: null });

class Channel implements EventChannel {
  isClosed = false;
  readonly url: string;
  readonly handlers: ChannelHandlers;

  constructor(url: string, handlers: ChannelHandlers) {
    this.url = url;
    this.handlers = handlers;
  }

  open(): void {
    this.handlers.onOpen();
  }

  lose(): void {
    this.handlers.onLost();
  }

  close(): void {
    this.isClosed = true;
  }

  push(event: ScanEvent | string): void {
    this.handlers.onScan(typeof event === "string" ? event : JSON.stringify(event));
  }
}

type Scene = { session: ScanSession; isDown?: boolean; isGone?: boolean; pageLength?: number; isOver?: boolean };

function follow({ pageLength = 1000, isOver = false, ...rest }: Scene) {
  const server = { ...rest, pageLength };
  const page = { isInSight: true, comeBack: (): void => {} };
  const channels: Channel[] = [];
  const asked: number[] = [];
  const events: ScanEvent[] = [];
  const states: StreamState[] = [];
  const goneWith: unknown[] = [];
  let sessionsAsked = 0;
  const ports: StreamPorts = {
    openChannel: (url, handlers) => {
      const channel = new Channel(url, handlers);
      channels.push(channel);
      return channel;
    },
    getSession: () => {
      sessionsAsked += 1;
      if (server.isDown === true) return Promise.reject(new Error("down"));
      if (server.isGone === true) return Promise.reject(gone());
      return Promise.resolve(server.session);
    },
    getChanges: (_id, since) => {
      asked.push(since);
      return Promise.resolve({ results: [], eventSeq: Math.min(since + server.pageLength, server.session.eventSeq) });
    },
    isPageInSight: () => page.isInSight,
    onReturn: (listener) => {
      page.comeBack = listener;
      return () => {
        page.comeBack = () => {};
      };
    },
  };
  const stream = new ScanStream({
    sessionId: "s1",
    since: 4,
    isOver,
    onEvent: (event) => events.push(event),
    onState: (state) => states.push(state),
    onGone: (error) => goneWith.push(error),
    ports,
  });
  const channel = (index: number): Channel => {
    const found = channels[index];
    if (found === undefined) throw new Error(`no channel ${index}`);
    return found;
  };
  return {
    server,
    channels,
    channel,
    asked,
    events,
    states,
    goneWith,
    page,
    sessionsAsked: () => sessionsAsked,
    catchUp: () => stream.catchUp(),
    stop: () => stream.close(),
    seqs: () => events.map((event) => event.session.eventSeq),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a scan stream", () => {
  it("starts after the rows already shown and passes events on", () => {
    const run = follow({ session: session(4) });
    run.channel(0).open();
    run.channel(0).push({ session: session(5), results: [] });
    expect(run.channel(0).url).toBe("/api/scan-sessions/s1/events?lastEventId=4");
    expect(run.seqs()).toEqual([5]);
    expect(run.states).toEqual(["live"]);
    run.stop();
  });

  it("drops late and known events", () => {
    const run = follow({ session: session(4) });
    run.channel(0).open();
    for (const seq of [3, 4, 6, 5, 6, 7]) run.channel(0).push({ session: session(seq), results: [] });
    expect(run.seqs()).toEqual([6, 7]);
    run.stop();
  });

  it("polls at once when the stream breaks, then every 10 s, and retries the stream from its position", async () => {
    const run = follow({ session: session(5) });
    run.channel(0).open();
    run.channel(0).lose();
    await vi.advanceTimersByTimeAsync(0);
    expect(run.seqs()).toEqual([5]);
    expect(run.channel(0).isClosed).toBe(true);

    run.server.session = session(9);
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(run.seqs()).toEqual([5, 9]);
    expect(run.asked).toEqual([4, 5]);
    expect(run.channel(1).url).toBe("/api/scan-sessions/s1/events?lastEventId=5");

    run.channel(1).open();
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 3);
    expect(run.asked).toHaveLength(2);
    expect(run.states).toEqual(["live", "polling", "live"]);
    run.stop();
  });

  it("asks at once when the server answers again", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const run = follow({ session: session(4) });
    run.channel(0).open();
    run.server.isDown = true;
    run.channel(0).lose();
    await vi.advanceTimersByTimeAsync(1);
    run.server.isDown = false;
    run.server.session = session(5);
    run.page.comeBack();
    await vi.advanceTimersByTimeAsync(1);
    expect(run.seqs()).toEqual([5]);
    run.stop();
  });

  it("polls if the stream never opens", async () => {
    const run = follow({ session: session(6) });
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(run.seqs()).toEqual([6]);
    expect(run.states).toEqual(["polling"]);
    run.stop();
  });

  it("keeps polling while the server is down", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const run = follow({ session: session(8), isDown: true });
    run.channel(0).lose();
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(run.events).toEqual([]);
    run.server.isDown = false;
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(run.seqs()).toEqual([8]);
    run.stop();
  });

  it("polls for rows every 10 s while one is queued for a retry, and stops when none remain", async () => {
    const run = follow({ session: session(5, { counts: { completed: 2, queued: 1 } }) });
    run.channel(0).lose();
    await vi.advanceTimersByTimeAsync(0);
    for (const seq of [6, 7]) {
      run.server.session = session(seq, { counts: { completed: 2, queued: 1 } });
      await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    }
    expect(run.asked).toEqual([4, 5, 6]);

    run.server.session = session(8, { status: "completed", counts: { completed: 2, completed_retry: 1 } });
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(run.states).toEqual(["polling", "resting"]);
    expect(run.channels.every((channel) => channel.isClosed)).toBe(true);
    const tried = run.channels.length;
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 5);
    expect(run.asked).toEqual([4, 5, 6, 7]);
    expect(run.channels).toHaveLength(tried);
    run.stop();
  });

  it("polls for the content of an unreadable event", async () => {
    const run = follow({ session: session(5) });
    run.channel(0).open();
    run.channel(0).push("{");
    await vi.advanceTimersByTimeAsync(0);
    expect(run.asked).toEqual([4]);
    expect(run.seqs()).toEqual([5]);
    run.stop();
  });

  it("closes the stream at the end of the run", async () => {
    const run = follow({ session: finished(6) });
    run.channel(0).open();
    run.channel(0).push({ session: finished(6), results: [] });
    await vi.advanceTimersByTimeAsync(0);
    run.channel(0).lose();
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 2);
    expect(run.channel(0).isClosed).toBe(true);
    expect(run.states).toEqual(["live", "resting"]);
    expect(run.channels).toHaveLength(1);
    expect(run.seqs()).toEqual([6]);
    expect(run.asked).toEqual([]);
    run.stop();
  });

  it("follows an ended run while its prices are still to come", async () => {
    const late = { ...finished(6), prices: { pending: 0, waiting: 1, waits: [] } };
    const run = follow({ session: late });
    run.channel(0).open();
    run.channel(0).push({ session: late, results: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(run.channel(0).isClosed).toBe(false);
    run.server.session = finished(7);
    run.channel(0).push({ session: finished(7), results: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(run.states).toEqual(["live", "resting"]);
    expect(run.seqs()).toEqual([6, 7]);
    run.stop();
  });

  it("fetches the rest if the last changes came in several events and the first one ended the session", async () => {
    const run = follow({ session: finished(11), pageLength: 2 });
    run.channel(0).open();
    run.channel(0).push({ session: finished(6), results: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(run.asked).toEqual([6, 8, 10]);
    expect(run.seqs()).toEqual([6, 11]);
    expect(run.states).toEqual(["live", "resting"]);
    run.stop();
  });

  it("stays open after a stop until the card in flight has settled", async () => {
    const run = follow({ session: session(6, { status: "failed", counts: { pending: 1, completed: 2 } }) });
    run.channel(0).open();
    run.channel(0).push({
      session: session(5, { status: "failed", counts: { processing: 1, pending: 1, completed: 1 } }),
      results: [],
    });
    expect(run.channel(0).isClosed).toBe(false);
    run
      .channel(0)
      .push({ session: session(6, { status: "failed", counts: { pending: 1, completed: 2 } }), results: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(run.channel(0).isClosed).toBe(true);
    run.stop();
  });
});

describe("an idle session", () => {
  it("opens no stream and polls every 10 s", async () => {
    const run = follow({ session: finished(4), isOver: true });
    expect(run.channels).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 2);
    expect(run.sessionsAsked()).toBe(2);
    expect(run.states).toEqual(["resting"]);
    run.stop();
  });

  it("opens the stream when another tab retries rows, and is idle again afterwards", async () => {
    const run = follow({ session: finished(4), isOver: true });
    run.server.session = session(6);
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(run.seqs()).toEqual([6]);
    expect(run.channel(0).url).toBe("/api/scan-sessions/s1/events?lastEventId=6");

    run.channel(0).open();
    run.server.session = finished(8);
    run.channel(0).push({ session: finished(8), results: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(run.seqs()).toEqual([6, 8]);
    expect(run.states).toEqual(["resting", "polling", "live", "resting"]);
    run.stop();
  });

  it("does not poll while the page is hidden, and polls at once when it returns", async () => {
    const run = follow({ session: finished(4), isOver: true });
    run.page.isInSight = false;
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 3);
    expect(run.sessionsAsked()).toBe(0);
    run.server.session = session(5);
    run.page.comeBack();
    await vi.advanceTimersByTimeAsync(0);
    expect(run.seqs()).toEqual([5]);
    expect(run.channels).toHaveLength(1);
    run.stop();
  });

  it("polls at once after a change in this tab", async () => {
    const run = follow({ session: session(7), isOver: true });
    run.catchUp();
    await vi.advanceTimersByTimeAsync(0);
    expect(run.seqs()).toEqual([7]);
    expect(run.channels).toHaveLength(1);
    run.stop();
  });

  it("shows what happened meanwhile if the run is already over again", async () => {
    const run = follow({ session: finished(9), isOver: true });
    run.catchUp();
    await vi.advanceTimersByTimeAsync(0);
    expect(run.seqs()).toEqual([9]);
    expect(run.channels).toHaveLength(0);
    run.stop();
  });

  it("stops when the session is deleted, and reports it once", async () => {
    const run = follow({ session: finished(4), isOver: true, isGone: true });
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 3);
    expect(run.sessionsAsked()).toBe(1);
    expect(run.states).toEqual(["resting", "ended"]);
    expect(run.goneWith).toEqual([gone()]);
  });

  it("keeps following if rows were retried during the last poll", async () => {
    const run = follow({ session: finished(6) });
    run.channel(0).open();
    run.channel(0).push({ session: finished(6), results: [] });
    run.channel(0).push({ session: session(7), results: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(run.channel(0).isClosed).toBe(false);
    expect(run.states).toEqual(["live"]);
    run.stop();
  });
});

describe("isSettled", () => {
  it.each([
    ["processing", { completed: 3 }, false],
    ["completed", { completed: 3 }, true],
    ["completed", { completed: 2, queued: 1 }, false],
    ["failed", { pending: 2, completed: 1 }, true],
    ["failed", { pending: 1, processing: 1, completed: 1 }, false],
  ] as const)("%s with %o is %s", (status, counts, expected) => {
    expect(isSettled(session(1, { status, counts }))).toBe(expected);
  });

  it.each([
    ["completed", 0, 2, false],
    ["completed", 1, 0, false],
    ["completed", 0, 0, true],
    ["failed", 1, 0, false],
    ["failed", 0, 0, true],
  ] as const)("%s with %i prices to come and %i waiting is %s", (status, pending, waiting, expected) => {
    const counts = { completed: 3 };
    expect(isSettled(session(1, { status, counts, prices: { pending, waiting, waits: [] } }))).toBe(expected);
  });
});
