import { type ScanEvent, scanEventSchema, type ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { getResultsPage, getScanSession } from "./client.ts";
import { logQuietly } from "./quiet-log.ts";

/*
 * A run as it happens. The stream is in one of three states:
 *
 *   live     an event stream is open; the server pushes.
 *   polling  the stream is down; the run is asked for every 10 s (SPEC section 9) while the stream is tried again.
 *   ended    the run is over and all of it was handed on, or the caller closed the stream. Nothing leads out of it.
 *
 * The position (an `eventSeq`) only grows: what arrives late, or twice, is dropped. So a poll that crosses a stream
 * that has just come back can't put an old row over a new one.
 */
export type StreamState = "live" | "polling" | "ended";

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
};

export type ScanStreamOptions = {
  sessionId: string;
  /** The `eventSeq` of what the caller already shows. */
  since: number;
  /** A session and the rows that changed since the last call. */
  onEvent: (event: ScanEvent) => void;
  onState?: (state: StreamState) => void;
  ports?: StreamPorts;
};

/** True when nothing of this run will change by itself: it is over and no card is in flight or waiting for a retry. */
export function isSettled(session: ScanSession): boolean {
  const { processing = 0, queued = 0 } = session.counts;
  return session.status !== "processing" && processing === 0 && queued === 0;
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

class ScanStream {
  readonly #options: ScanStreamOptions;
  readonly #ports: StreamPorts;
  #position: number;
  #state: StreamState | null = null;
  #channel: EventChannel | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(options: ScanStreamOptions) {
    this.#options = options;
    this.#ports = options.ports ?? browserPorts;
    this.#position = options.since;
  }

  open(): void {
    this.#connect();
    this.#schedule();
  }

  close(): void {
    this.#stopTimer();
    this.#channel?.close();
    this.#channel = null;
    this.#enter("ended");
  }

  /** The browser's own reconnecting knows neither our position nor a refusal, so each try is a channel of its own. */
  #connect(): void {
    const { sessionId } = this.#options;
    const url = `/api/scan-sessions/${encodeURIComponent(sessionId)}/events?lastEventId=${this.#position}`;
    const channel = this.#ports.openChannel(url, {
      onOpen: () => this.#enter("live"),
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
    this.#stopTimer();
    void this.#poll();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#enter("polling");
      if (this.#channel === null) this.#connect();
      void this.#poll();
    }, POLL_INTERVAL_MS);
  }

  /** Reads the run up to now. The session comes first: it then promises no more than the rows read after it show. */
  async #ask(): Promise<ScanSession> {
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
    try {
      if (isSettled(await this.#ask())) return this.close();
    } catch (error) {
      logQuietly("The run could not be asked for; the next try follows", error);
    }
    if (this.#state === "polling") this.#schedule();
  }

  /** A long list of changes comes in several events, each with the session as it is now: the first may not be the last. */
  async #conclude(channel: EventChannel): Promise<void> {
    try {
      if (isSettled(await this.#ask())) this.close();
    } catch (error) {
      logQuietly("The end of the run could not be asked for", error);
      this.#lose(channel);
    }
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

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** Follows a run until it is over. Returns the way to stop following; the run itself goes on. */
export function openScanStream(options: ScanStreamOptions): () => void {
  const stream = new ScanStream(options);
  stream.open();
  return () => stream.close();
}
