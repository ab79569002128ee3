import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { defaultSessionName } from "@slabdesk/contract/sheet/session-name.ts";
import { errorMessage } from "../../../api/error-messages.ts";
import { ApiError, mayPass } from "../../../api/errors.ts";
import {
  inAnotherSession,
  isBlank,
  type Ledger,
  linesOf,
  newLedger,
  nextWork,
  numberOfCert,
  type Opening,
  type Scan,
  type StationOptions,
  withoutLast,
  withoutLeaving,
  withScan,
  withSession,
  withState,
  type Work,
} from "./ledger.ts";
import { INITIAL_STATE } from "../scanner-state.ts";
import { type CompanyChoice, readScan } from "./read-scan.ts";
import { type StoredLedger, randomKey } from "./stored-ledger.ts";

/** What the station's session has in place of a file's name; it begins the default name of the session. */
export const STATION_FILE = "Scan station";

/** What became of a scan or an undo, to be shown, said and sounded. `number` counts the session's scans from 1. */
export type Verdict =
  | { kind: "ok"; scan: Scan; number: number }
  | { kind: "duplicate"; scan: Pick<Scan, "company" | "certNumber">; number: number }
  | { kind: "unreadable"; text: string; message: string }
  | { kind: "undone"; scan: Scan; number: number };

/** How it stands with the server: it has everything, is being told, does not answer, or refuses for the reason given. */
export type Link = { kind: "idle" } | { kind: "sending" } | { kind: "away" } | { kind: "refused"; problem: string };

export type StationView = {
  ledger: Ledger;
  link: Link;
  /** False when this browser keeps nothing: scans that wait are lost with the tab. */
  isKept: boolean;
  /** False while another tab scans into the ledger. */
  isMine: boolean;
};

export type StationServer = {
  open: (scan: Scan, ledger: Ledger) => Promise<ScanSession>;
  add: (sessionId: string, scans: readonly Scan[]) => Promise<ScanSession>;
  /** Null when the session has no such row. */
  remove: (sessionId: string, line: number) => Promise<{ session: ScanSession; rowId: string } | null>;
};

export type StationEvents = {
  /** The station's session as the server answered it. */
  onSession: (session: ScanSession) => void;
  /** A row was taken out of it. */
  onRemoved: (rowId: string) => void;
  /** The station's session was deleted; scans that it had are with it. */
  onGone: (session: { id: string; sessionName: string }) => void;
  /** Another tab scans from now on. */
  onGivenAway: () => void;
};

type StationParts = {
  server: StationServer;
  remembered: StoredLedger;
  /** The tab's name. */
  owner: string;
  now: () => Date;
};

/** How soon a server that did not answer is asked again. */
export const TRY_AGAIN_MS = 3_000;

/**
 * Takes scans at any speed and sees that the server gets them: each is judged and kept at once, and sent in its turn,
 * one request at a time, with all that has come meanwhile.
 */
export class Station {
  readonly #parts: StationParts;
  readonly #listeners = new Set<() => void>();
  #view: StationView;
  #isSending = false;
  /** Null while it does not run. */
  #events: StationEvents | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: StationParts) {
    this.#parts = parts;
    const ledger = parts.remembered.load();
    this.#view = {
      ledger: ledger ?? newLedger(this.#opening(INITIAL_STATE.options)),
      link: { kind: "idle" },
      isKept: true,
      isMine: ledger === null || ledger.owner === parts.owner,
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getView = (): StationView => this.#view;

  /** Goes on with what was left to be sent. Returns the way to stop; what is not sent by then is kept. */
  run(events: StationEvents): () => void {
    this.#events = events;
    const stopWatching = this.#parts.remembered.onWrittenElsewhere((ledger) => this.#giveWay(ledger));
    const retry = (): void => this.retry();
    window.addEventListener("online", retry);
    void this.#send();
    return () => {
      this.#events = null;
      clearTimeout(this.#timer);
      stopWatching();
      window.removeEventListener("online", retry);
    };
  }

  /** Makes this tab the one that scans, and begins a new session when the last one is of another day and complete. */
  takeOver(): void {
    const ledger = this.#parts.remembered.load() ?? this.#view.ledger;
    this.#show({ isMine: true });
    this.#keep({ ...ledger, owner: this.#parts.owner });
    if (!isSameDay(ledger.startedAt, this.#parts.now())) this.startNew();
    void this.#send();
  }

  /** The next scan opens a session of its own. Not while something waits to be sent. */
  startNew(): void {
    const { ledger } = this.#view;
    if (nextWork(ledger) === null) this.#keep(newLedger(this.#opening(ledger)));
  }

  scan(text: string, choice: CompanyChoice, options: StationOptions): Verdict {
    const reading = readScan(text, choice);
    if (reading.kind === "unreadable") return { kind: "unreadable", text, message: reading.message };
    const { company, certNumber, repaired } = reading;
    const ledger = isBlank(this.#view.ledger) ? newLedger(this.#opening(options)) : this.#view.ledger;
    const earlier = numberOfCert(ledger, company, certNumber);
    if (earlier !== null) return { kind: "duplicate", scan: { company, certNumber }, number: earlier };
    const { ledger: next, scan: scanned } = withScan(ledger, { text, company, certNumber, repaired });
    this.#keep(next);
    void this.#send();
    return { kind: "ok", scan: scanned, number: next.scans.length };
  }

  /** Takes the last scan out again; null when there is none. */
  undo(): Verdict | null {
    const { ledger } = this.#view;
    const scan = ledger.scans.at(-1);
    if (!scan) return null;
    this.#keep(withoutLast(ledger));
    void this.#send();
    return { kind: "undone", scan, number: ledger.scans.length };
  }

  /** Asks the server again at once. */
  retry(): void {
    clearTimeout(this.#timer);
    void this.#send();
  }

  /** The session is not there any more: nothing is to be added to it. */
  forgetSession(): void {
    this.#leaveSession();
    void this.#send();
  }

  #leaveSession(): void {
    const { ledger } = this.#view;
    this.#keep(inAnotherSession(ledger, this.#opening(ledger)));
    if (ledger.sessionId !== null) this.#events?.onGone({ id: ledger.sessionId, sessionName: ledger.sessionName });
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    clearTimeout(this.#timer);
    try {
      for (let work = this.#nextWork(); work !== null; work = this.#nextWork()) {
        if (this.#view.link.kind !== "away") this.#show({ link: { kind: "sending" } });
        await this.#do(work);
      }
      this.#show({ link: { kind: "idle" } });
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isSending = false;
    }
  }

  #nextWork(): Work | null {
    return this.#events && this.#view.isMine ? nextWork(this.#view.ledger) : null;
  }

  async #do(work: Work): Promise<void> {
    const { key } = this.#view.ledger;
    if (work.kind !== "remove") this.#keep(withState(this.#view.ledger, linesOf(work), "tried"));
    const answer = await this.#ask(work);
    // Meanwhile another tab may scan: what it does not know to have arrived it sends again, which is harmless.
    if (this.#view.ledger.key !== key || !this.#view.isMine) return;
    if (answer === "gone") return this.#leaveSession();
    this.#keep(settled(this.#view.ledger, work, answer));
    if (answer) this.#events?.onSession(answer);
  }

  /** The session after the work; null when the row to remove was not there, `gone` when the session was deleted. */
  async #ask(work: Work): Promise<ScanSession | null | "gone"> {
    const { server } = this.#parts;
    try {
      switch (work.kind) {
        case "open":
          return await server.open(work.scan, this.#view.ledger);
        case "add":
          return await server.add(work.sessionId, work.scans);
        case "remove": {
          const removed = await server.remove(work.sessionId, work.scan.line);
          if (removed) this.#events?.onRemoved(removed.rowId);
          return removed?.session ?? null;
        }
      }
    } catch (error) {
      // A deleted session is not found; the key that opened it is refused from then on.
      const isGone = error instanceof ApiError && error.status === (work.kind === "open" ? 409 : 404);
      if (isGone) return "gone";
      throw error;
    }
  }

  #fail(error: unknown): void {
    if (!mayPass(error)) return this.#show({ link: { kind: "refused", problem: errorMessage(error) } });
    this.#show({ link: { kind: "away" } });
    if (this.#events) this.#timer = setTimeout(() => void this.#send(), TRY_AGAIN_MS);
  }

  #giveWay(ledger: Ledger | null): void {
    if (ledger?.owner === this.#parts.owner || !this.#view.isMine) return;
    this.#show({ isMine: false, ...(ledger === null ? {} : { ledger }) });
    this.#events?.onGivenAway();
  }

  #opening({ mode, includePricing }: StationOptions): Opening {
    const { owner, now } = this.#parts;
    const sessionName = defaultSessionName(STATION_FILE, now());
    return { owner, key: randomKey(), sessionName, mode, includePricing, startedAt: now().toISOString() };
  }

  #keep(ledger: Ledger): void {
    if (!this.#view.isMine) return;
    this.#show({ ledger, isKept: this.#parts.remembered.save(ledger) });
  }

  #show(change: Partial<StationView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function settled(ledger: Ledger, work: Work, session: ScanSession | null): Ledger {
  if (work.kind === "remove") return withoutLeaving(ledger, work.scan.line);
  return withState(session ? withSession(ledger, session.id) : ledger, linesOf(work), "sent");
}

function isSameDay(iso: string, today: Date): boolean {
  return new Date(iso).toDateString() === today.toDateString();
}
