import { type ScanEvent, scanEventSchema, type ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { ResultRow, ResultsPage } from "@slabdesk/contract/api/results.ts";
import { getResultsPage } from "./rows.ts";
import { getScanSession, sessionPath } from "./sessions.ts";
import { onReconnection } from "./connection.ts";
import { isGone } from "./errors.ts";
import { apiUrl, parseJson } from "./http.ts";
import { logQuietly } from "./quiet-log.ts";

/* Follows a run live. The stream is in one of four states:

   - live: An event stream is open and the server pushes.
   - polling: The stream is down. The client polls the run every 10 s while it retries the stream.
   - resting: The run is over and all of its events were delivered. Failed rows may be retried here, in another tab, or
     by another user, so the client polls the session every 10 s while the page is visible, and at once when the page
     becomes visible or the caller reports a change. Leads back to live.
   - ended: The caller closed the stream, or the session is gone. Final.

   A resting run holds no event stream, because a browser opens at most six connections per server across all tabs, and
   tabs with finished runs would use them up.

   The position (an `eventSeq`) only grows. Late or repeated data is dropped, so a poll that overlaps with a restored
   stream can't replace a new row with an old one. */
export type StreamState = "live" | "polling" | "resting" | "ended";

/** Poll interval while the server pushes nothing. */
export const POLL_INTERVAL_MS = 10_000;

export type ChannelHandlers = {
  onOpen: () => void;
  /** The channel broke or was refused. */
  onLost: () => void;
  onScan: (data: string) => void;
};

/** An open event source; an `EventSource` in a browser. Handlers are never called before the function returns it. */
export type EventChannel = { close(): void };

const browserPorts = {
  openChannel: (url: string, { onOpen, onLost, onScan }: ChannelHandlers): EventChannel => {
    const source = new EventSource(url);
    source.addEventListener("open", onOpen);
    source.addEventListener("error", onLost);
    source.addEventListener("scan", (event) => onScan(String(event.data)));
    return source;
  },
  getSession: getScanSession,
  /** Rows that changed after `since`. `eventSeq` is the position they reach, which may be below the session's. */
  getChanges: (sessionId: string, since: number): Promise<Pick<ResultsPage, "results" | "eventSeq">> =>
    getResultsPage(sessionId, { since }),
  isPageInSight: (): boolean => document.visibilityState === "visible",
  /** Calls the listener each time the page becomes visible or the server answers again. Returns an unsubscribe function. */
  onReturn: (listener: () => void): (() => void) => {
    const watching = new AbortController();
    const onChange = (): void => {
      if (document.visibilityState === "visible") listener();
    };
    document.addEventListener("visibilitychange", onChange, { signal: watching.signal });
    window.addEventListener("focus", onChange, { signal: watching.signal });
    watching.signal.addEventListener("abort", onReconnection(listener));
    return () => watching.abort();
  },
};
export type StreamPorts = typeof browserPorts;

export type ScanStreamOptions = {
  sessionId: string;
  /** The `eventSeq` of the data that the caller already shows. */
  since: number;
  /** True if the run was over when last seen. */
  isOver?: boolean;
  /** Receives a session and the rows that changed since the last call. */
  onEvent: (event: ScanEvent) => void;
  onState?: (state: StreamState) => void;
  /** The session no longer exists; following stops. */
  onGone?: (error: unknown) => void;
  ports?: StreamPorts;
};

/** `close` stops following; the run continues. `catchUp` reports that this client may have changed the run. */
export type ScanFollower = { close(): void; catchUp(): void };

/** True if nothing in this run will change on its own. Prices that wait for their source can arrive after its end. */
export function isSettled({ status, counts, prices }: ScanSession): boolean {
  const { processing = 0, queued = 0 } = counts;
  return status !== "processing" && processing + queued + prices.pending + prices.waiting === 0;
}

/** Follows a session during its run and afterward. */
export class ScanStream implements ScanFollower {
  readonly #options: ScanStreamOptions;
  readonly #ports: StreamPorts;
  readonly #stopWatching: () => void;
  #position: number;
  #state: StreamState | null = null;
  #channel: EventChannel | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ScanStreamOptions) {
    this.#options = options;
    this.#ports = options.ports ?? browserPorts;
    this.#position = options.since;
    this.#stopWatching = this.#ports.onReturn(() => this.catchUp());
    if (options.isOver === true) this.#enter("resting");
    else this.#connect();
    this.#schedule();
  }

  close(): void {
    this.#stopWatching();
    this.#hangUp();
    this.#enter("ended");
  }

  catchUp(): void {
    if (this.#state === "resting" || this.#state === "polling") void this.#poll();
  }

  #hangUp(): void {
    clearTimeout(this.#timer);
    this.#channel?.close();
    this.#channel = null;
  }

  /** Opens a new channel for each try: the browser's reconnect knows no position and detects no refusal. */
  #connect(): void {
    const url = apiUrl(sessionPath(this.#options.sessionId, "events"), { lastEventId: this.#position });
    const channel = this.#ports.openChannel(url, {
      onOpen: () => {
        if (channel === this.#channel) this.#enter("live");
      },
      onLost: () => this.#lose(channel),
      onScan: (data) => {
        const event = scanEventSchema.safeParse(parseJson(data));
        // Skipping an unreadable event would lose its rows. A poll from our position fetches them.
        if (!event.success) return this.#lose(channel);
        this.#deliver(event.data);
        // A long change list arrives as several events, each with the current session, so this one may not be the last.
        if (isSettled(event.data.session)) void this.#poll();
      },
    });
    this.#channel = channel;
  }

  #enter(state: StreamState): void {
    if (this.#state === state || this.#state === "ended") return;
    this.#state = state;
    if (state === "live") clearTimeout(this.#timer);
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

  /** Schedules the next step. Only one timer is active, whether the stream is down or the run is resting. */
  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#state === "resting" && !this.#ports.isPageInSight()) return this.#schedule();
      if (this.#state !== "resting") {
        this.#enter("polling");
        if (this.#channel === null) this.#connect();
      }
      void this.#poll();
    }, POLL_INTERVAL_MS);
  }

  /** Reads the session first, so that it never claims more than the rows read after it. */
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
    if (this.#state !== "live") clearTimeout(this.#timer);
    try {
      this.#judge(await this.#read());
    } catch (error) {
      if (this.#state === "ended") return;
      if (isGone(error)) {
        this.close();
        this.#options.onGone?.(error);
        return;
      }
      if (this.#state === "live") this.#hangUp();
      if (this.#state !== "resting") this.#enter("polling");
      logQuietly("Fetching the run failed; retrying", error);
    }
    if (this.#state === "polling" || this.#state === "resting") this.#schedule();
  }

  /** The state after a poll: resting if the run is over, on the way to live if a resting run has resumed. */
  #judge(session: ScanSession): void {
    if (this.#state === "ended") return;
    // Newer data may have arrived during the request.
    if (isSettled(session) && session.eventSeq >= this.#position) {
      this.#hangUp();
      this.#enter("resting");
    } else if (this.#state === "resting") {
      this.#enter("polling");
      this.#connect();
    }
  }

  #deliver(event: ScanEvent): void {
    if (this.#state === "ended" || event.session.eventSeq <= this.#position) return;
    this.#position = event.session.eventSeq;
    this.#options.onEvent(event);
  }
}
