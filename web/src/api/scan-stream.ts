import { type ScanEvent, scanEventSchema, type ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { getResultsPage, getScanSession } from "./client.ts";
import { isGone } from "./errors.ts";
import { logQuietly } from "./quiet-log.ts";

/*
 * A run as it happens. The stream is in one of four states:
 *
 *   live     an event stream is open; the server pushes.
 *   polling  the stream is down; the run is asked for every 10 s (SPEC section 9) while the stream is tried again.
 *   resting  the run is over and all of it was handed on. Failed rows may be sent again from here, from another tab or
 *            by another person, so the session is asked for every 10 s while the page is in sight, and at once when it
 *            comes back into sight or the caller says that it has changed something. It leads back to live.
 *   ended    the caller closed the stream, or the session is gone. Nothing leads out of it.
 *
 * A resting run holds no event stream: a browser opens six connections to a server over all its tabs, and tabs with
 * finished runs would use them up.
 *
 * The position (an `eventSeq`) only grows: what arrives late, or twice, is dropped. So a poll that crosses a stream
 * that has just come back can't put an old row over a new one.
 */
export type StreamState = "live" | "polling" | "resting" | "ended";

/** SPEC section 9: how often a run is asked for while nothing is pushed. */
export const POLL_INTERVAL_MS = 10_000;

export type ChannelHandlers = {
  onOpen: () => void;
  /** The channel broke, or was refused. */
  onLost: () => void;
  /** The data of one `scan` event. */
  onScan: (data: string) => void;
};

/** What is being listened to; `EventSource` behind it in a browser. Handlers are never called before it is returned. */
export type EventChannel = { close(): void };

export type StreamPorts = {
  openChannel(url: string, handlers: ChannelHandlers): EventChannel;
  getSession(sessionId: string): Promise<ScanSession>;
  /** Rows that changed after `since`; `eventSeq` is how far they lead, which may be short of the session's. */
  getChanges(sessionId: string, since: number): Promise<{ results: ResultRow[]; eventSeq: number }>;
  isPageInSight(): boolean;
  /** Calls the listener each time the page comes into sight. Returns the way to stop. */
  onPageInSight(listener: () => void): () => void;
};

export type ScanStreamOptions = {
  sessionId: string;
  /** The `eventSeq` of what the caller already shows. */
  since: number;
  /** The run was over when it was last seen. */
  isOver?: boolean;
  /** A session and the rows that changed since the last call. */
  onEvent: (event: ScanEvent) => void;
  onState?: (state: StreamState) => void;
  /** Whether the server answers: false from a poll that failed until something arrives again. */
  onReach?: (isReached: boolean) => void;
  /** The session is not there any more; it is followed no further. */
  onGone?: (error: unknown) => void;
  ports?: StreamPorts;
};

/** `close` stops following; the run itself goes on. `look` says that the run may just have been changed from here. */
export type ScanFollower = { close(): void; look(): void };

/**
 * True when nothing of this run will change by itself: it is over, no card is in flight or waiting for a retry, and no
 * price is to come. Prices that wait for their source come after the run's end, those of a repriced session too.
 */
export function isSettled({ status, counts, prices }: ScanSession): boolean {
  const { processing = 0, queued = 0 } = counts;
  return status !== "processing" && processing + queued + prices.pending + prices.waiting === 0;
}

function openEventSource(url: string, { onOpen, onLost, onScan }: ChannelHandlers): EventChannel {
  const source = new EventSource(url);
  source.addEventListener("open", onOpen);
  source.addEventListener("error", onLost);
  source.addEventListener("scan", (event) => onScan(String(event.data)));
  return source;
}

const browserPorts: StreamPorts = {
  openChannel: openEventSource,
  getSession: getScanSession,
  getChanges: (sessionId, since) => getResultsPage(sessionId, { since }),
  isPageInSight: () => document.visibilityState === "visible",
  onPageInSight: (listener) => {
    const onChange = (): void => {
      if (document.visibilityState === "visible") listener();
    };
    document.addEventListener("visibilitychange", onChange);
    window.addEventListener("focus", onChange);
    return () => {
      document.removeEventListener("visibilitychange", onChange);
      window.removeEventListener("focus", onChange);
    };
  },
};

function parseScanEvent(data: string): ScanEvent | null {
  try {
    const event = scanEventSchema.safeParse(JSON.parse(data));
    return event.success ? event.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

class ScanStream implements ScanFollower {
  readonly #options: ScanStreamOptions;
  readonly #ports: StreamPorts;
  #position: number;
  #state: StreamState | null = null;
  #channel: EventChannel | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stopWatching: () => void = () => {};
  #isReached = true;

  constructor(options: ScanStreamOptions) {
    this.#options = options;
    this.#ports = options.ports ?? browserPorts;
    this.#position = options.since;
  }

  open(): void {
    this.#stopWatching = this.#ports.onPageInSight(() => {
      if (this.#state === "resting") void this.#poll();
    });
    if (this.#options.isOver === true) this.#rest();
    else this.#follow();
  }

  close(): void {
    this.#stopWatching();
    this.#hangUp();
    this.#enter("ended");
  }

  look(): void {
    if (this.#state === "resting" || this.#state === "polling") void this.#poll();
  }

  #follow(): void {
    this.#connect();
    this.#schedule();
  }

  #rest(): void {
    this.#hangUp();
    this.#enter("resting");
    this.#schedule();
  }

  #hangUp(): void {
    this.#stopTimer();
    this.#channel?.close();
    this.#channel = null;
  }

  /** The browser's own reconnecting knows neither our position nor a refusal, so each try is a channel of its own. */
  #connect(): void {
    const { sessionId } = this.#options;
    const url = `/api/scan-sessions/${encodeURIComponent(sessionId)}/events?lastEventId=${this.#position}`;
    const channel = this.#ports.openChannel(url, {
      onOpen: () => {
        if (channel !== this.#channel) return;
        this.#reach(true);
        this.#enter("live");
      },
      onLost: () => this.#lose(channel),
      onScan: (data) => {
        const event = parseScanEvent(data);
        // Going on after an event that can't be read would lose its rows; a poll from our position brings them.
        if (event === null) this.#lose(channel);
        else this.#take(event, channel);
      },
    });
    this.#channel = channel;
  }

  #enter(state: StreamState): void {
    if (this.#state === state || this.#state === "ended") return;
    this.#state = state;
    if (state !== "polling") this.#stopTimer();
    this.#options.onState?.(state);
  }

  #lose(channel: EventChannel): void {
    if (channel !== this.#channel) return;
    channel.close();
    this.#channel = null;
    if (this.#state === "polling") return;
    this.#enter("polling");
    void this.#poll();
  }

  /** One timer at a time: what is due next, whether the stream is down or the run at rest. */
  #schedule(): void {
    this.#stopTimer();
    this.#timer = setTimeout(() => {
      if (this.#state === "resting") {
        if (this.#ports.isPageInSight()) void this.#poll();
        else this.#schedule();
        return;
      }
      this.#enter("polling");
      if (this.#channel === null) this.#connect();
      void this.#poll();
    }, POLL_INTERVAL_MS);
  }

  /** Reads the run up to now. The session comes first: it then promises no more than the rows read after it show. */
  async #read(): Promise<ScanSession> {
    const { sessionId } = this.#options;
    const session = await this.#ports.getSession(sessionId);
    const results: ResultRow[] = [];
    let reached = this.#position;
    while (reached < session.eventSeq) {
      const changes = await this.#ports.getChanges(sessionId, reached);
      results.push(...changes.results);
      if (changes.eventSeq <= reached) break;
      reached = changes.eventSeq;
    }
    this.#deliver({ session, results });
    return session;
  }

  async #poll(): Promise<void> {
    this.#stopTimer();
    try {
      this.#judge(await this.#read());
      this.#reach(true);
    } catch (error) {
      if (this.#state === "ended") return;
      if (isGone(error)) {
        this.close();
        this.#options.onGone?.(error);
        return;
      }
      this.#reach(false);
      logQuietly("The run could not be asked for; the next try follows", error);
    }
    if (this.#state === "polling" || this.#state === "resting") this.#schedule();
  }

  /** Where a poll leads: to rest when the run is over, back to the stream when a run at rest goes on. */
  #judge(session: ScanSession): void {
    if (this.#state !== "polling" && this.#state !== "resting") return;
    if (this.#isOver(session)) {
      if (this.#state === "polling") this.#rest();
    } else if (this.#state === "resting") {
      this.#enter("polling");
      this.#connect();
    }
  }

  /** A long list of changes comes in several events, each with the session as it is now: the first may not be the last. */
  async #conclude(channel: EventChannel): Promise<void> {
    try {
      if (this.#isOver(await this.#read()) && channel === this.#channel) this.#rest();
    } catch (error) {
      logQuietly("The end of the run could not be asked for", error);
      this.#lose(channel);
    }
  }

  /** Not when something newer has arrived while this was asked for. */
  #isOver(session: ScanSession): boolean {
    return isSettled(session) && session.eventSeq >= this.#position;
  }

  #take(event: ScanEvent, channel: EventChannel): void {
    this.#deliver(event);
    if (isSettled(event.session)) void this.#conclude(channel);
  }

  #deliver(event: ScanEvent): void {
    if (this.#state === "ended" || event.session.eventSeq <= this.#position) return;
    this.#position = event.session.eventSeq;
    this.#options.onEvent(event);
  }

  #reach(isReached: boolean): void {
    if (this.#isReached === isReached || this.#state === "ended") return;
    this.#isReached = isReached;
    this.#options.onReach?.(isReached);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** Follows a session, through its run and after it. */
export function openScanStream(options: ScanStreamOptions): ScanFollower {
  const stream = new ScanStream(options);
  stream.open();
  return stream;
}
