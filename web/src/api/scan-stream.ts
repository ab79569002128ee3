import { type ScanEvent, scanEventSchema, type ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { ResultRow, ResultsPage } from "@slabdesk/contract/api/results.ts";
import { getResultsPage, getScanSession } from "./client.ts";

/*
 * A run as it happens. The stream is in one of three states:
 *
 *   live     an event stream is open; the server pushes.
 *   polling  the stream is down; the run is asked for every 10 s (SPEC section 9) while the stream is tried again.
 *   ended    the run is over, or the caller closed the stream. Nothing leads out of it.
 *
 * The position (an `eventSeq`) only grows: what arrives late, or twice, is dropped. So a poll that crosses a stream
 * that has just come back can't put an old row over a new one.
 */
export type StreamState = "live" | "polling" | "ended";

/** SPEC section 9: how often a run is asked for while nothing is pushed. */
export const POLL_INTERVAL_MS = 10_000;

const SINCE_LIMIT = 5_000;

/** What the stream needs of a browser; `EventSource` is one. */
export type EventChannel = {
  onopen: (() => void) | null;
  onerror: (() => void) | null;
  addEventListener(type: "scan", listener: (event: { data: string }) => void): void;
  close(): void;
};

export type StreamPorts = {
  openChannel(url: string): EventChannel;
  getSession(sessionId: string): Promise<ScanSession>;
  getRowsSince(sessionId: string, since: number): Promise<ResultRow[]>;
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

async function getRowsSince(sessionId: string, since: number): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  let cursor: string | null = "0";
  while (cursor !== null) {
    const page: ResultsPage = await getResultsPage(sessionId, { since, cursor, limit: SINCE_LIMIT });
    rows.push(...page.results);
    cursor = page.nextCursor;
  }
  return rows;
}

function openEventSource(url: string): EventChannel {
  const source = new EventSource(url);
  const channel: EventChannel = {
    onopen: null,
    onerror: null,
    addEventListener: (_type, listener) => source.addEventListener("scan", (event) => listener({ data: String(event.data) })),
    close: () => source.close(),
  };
  source.onopen = () => channel.onopen?.();
  source.onerror = () => channel.onerror?.();
  return channel;
}

const browserPorts: StreamPorts = { openChannel: openEventSource, getSession: getScanSession, getRowsSince };

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
    const channel = this.#ports.openChannel(`/api/scan-sessions/${encodeURIComponent(sessionId)}/events?lastEventId=${this.#position}`);
    this.#channel = channel;
    channel.onopen = () => this.#enter("live");
    channel.onerror = () => this.#lose(channel);
    channel.addEventListener("scan", ({ data }) => {
      const event = parseScanEvent(data);
      // Going on after an event that can't be read would lose its rows; a poll from our position brings them.
      if (event === null) this.#lose(channel);
      else this.#take(event);
    });
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

  async #poll(): Promise<void> {
    const { sessionId } = this.#options;
    try {
      // The session first: its `eventSeq` then promises no more than the rows read after it show.
      const session = await this.#ports.getSession(sessionId);
      this.#take({ session, results: await this.#ports.getRowsSince(sessionId, this.#position) });
    } catch (error) {
      console.warn("The run could not be asked for; the next try follows", error);
    }
    if (this.#state === "polling") this.#schedule();
  }

  #take(event: ScanEvent): void {
    if (this.#state === "ended") return;
    const isLate = event.session.eventSeq < this.#position;
    const isKnown = event.session.eventSeq === this.#position && !isSettled(event.session);
    if (isLate || isKnown) return;
    this.#position = event.session.eventSeq;
    this.#options.onEvent(event);
    if (isSettled(event.session)) this.close();
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
