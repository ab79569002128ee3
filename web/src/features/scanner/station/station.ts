import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { defaultSessionName } from "@slabdesk/contract/sheet/session-name.ts";
import { errorMessage, isGone, mayPass } from "../../../api/errors.ts";
import * as ledgers from "./ledger.ts";
import { INITIAL_STATE } from "../scanner-state.ts";
import { type CompanyChoice, readScan } from "./read-scan.ts";
import { TRY_AGAIN_MS } from "../../../run/open-session.ts";
import { Store } from "../../../ui/store.ts";
import { randomKey } from "../../../ui/stored-items.ts";
import type { StoredLedger } from "./stored-ledger.ts";

/** The station session's file name, which starts the default session name. */
export const STATION_FILE = "Scan station";

/** The result of a scan or an undo. `number` counts the session's scans from 1. */
export type Verdict =
  | { kind: "ok"; scan: ledgers.Scan; number: number }
  | { kind: "duplicate"; scan: Pick<ledgers.Scan, "company" | "certNumber">; number: number }
  | { kind: "unreadable"; text: string; message: string }
  | { kind: "undone"; scan: ledgers.Scan; number: number };

/** `idle` if everything was sent, `away` if the server can't be reached. */
export type Link = { kind: "idle" } | { kind: "sending" } | { kind: "away" } | { kind: "refused"; problem: string };

export type StationState = {
  ledger: ledgers.Ledger;
  link: Link;
  /** False if this browser can't store scans; unsent scans are then lost with the tab. */
  isKept: boolean;
  /** False while another tab scans into the ledger. */
  isMine: boolean;
};

export type StationServer = {
  open: (scan: ledgers.Scan, ledger: ledgers.Ledger) => Promise<ScanSession>;
  add: (sessionId: string, scans: readonly ledgers.Scan[]) => Promise<ScanSession>;
  /** Null if the session has no such row. */
  remove: (sessionId: string, line: number) => Promise<ScanSession | null>;
};

export type StationEvents = {
  onSession: (session: ScanSession) => void;
  /** The station's session was deleted, including the scans it had. */
  onGone: (session: { id: string; sessionName: string }) => void;
  onGivenAway: () => void;
};

type StationParts = {
  server: StationServer;
  remembered: StoredLedger;
  owner: string;
  now: () => Date;
};

/** Judges and stores each scan at once, and sends those that arrived in between one request at a time. */
export class Station extends Store<StationState> {
  readonly #parts: StationParts;
  #isSending = false;
  /** Null while stopped. */
  #events: StationEvents | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: StationParts) {
    const ledger = parts.remembered.load();
    super({
      ledger: ledger ?? ledgers.newLedger(openingOf(parts, INITIAL_STATE.options)),
      link: { kind: "idle" },
      isKept: true,
      isMine: ledger === null || ledger.owner === parts.owner,
    });
    this.#parts = parts;
  }

  /** Resumes sending. Returns a stop function; unsent scans stay stored. */
  run(events: StationEvents): () => void {
    this.#events = events;
    const stopWatching = this.#parts.remembered.onWrittenElsewhere((ledger) => this.#giveWay(ledger));
    window.addEventListener("online", this.retry);
    void this.#send();
    return () => {
      this.#events = null;
      clearTimeout(this.#timer);
      stopWatching();
      window.removeEventListener("online", this.retry);
    };
  }

  /** Makes this tab the scanning tab. Starts a new session if the last one is from another day and complete. */
  takeOver(): void {
    const ledger = this.#parts.remembered.load() ?? this.getSnapshot().ledger;
    this.change({ isMine: true });
    this.#keep({ ...ledger, owner: this.#parts.owner });
    const isFromToday = new Date(ledger.startedAt).toDateString() === this.#parts.now().toDateString();
    if (!isFromToday) this.startNew();
    void this.#send();
  }

  /** Makes the next scan open a new session. Does nothing while scans waiting to be sent. */
  startNew(): void {
    const { ledger } = this.getSnapshot();
    if (ledgers.nextWork(ledger) === null) this.#keep(ledgers.newLedger(openingOf(this.#parts, ledger)));
  }

  scan(text: string, choice: CompanyChoice, options: ledgers.StationOptions): Verdict {
    const reading = readScan(text, choice);
    if (reading.kind === "unreadable") return { kind: "unreadable", text, message: reading.message };
    const { company, certNumber, repaired } = reading;
    const ledger = ledgers.isBlank(this.getSnapshot().ledger)
      ? ledgers.newLedger(openingOf(this.#parts, options))
      : this.getSnapshot().ledger;
    const earlier = ledger.scans.findIndex((scan) => scan.certNumber === certNumber && scan.company === company);
    if (earlier !== -1) return { kind: "duplicate", scan: { company, certNumber }, number: earlier + 1 };
    const { ledger: next, scan: scanned } = ledgers.withScan(ledger, { text, company, certNumber, repaired });
    this.#keep(next);
    void this.#send();
    return { kind: "ok", scan: scanned, number: next.scans.length };
  }

  /** Removes the last scan; null if there is none. */
  undo(): Verdict | null {
    const { ledger } = this.getSnapshot();
    const scan = ledger.scans.at(-1);
    if (!scan) return null;
    const leaving = scan.state === "waiting" ? ledger.leaving : [...ledger.leaving, scan];
    this.#keep({ ...ledger, scans: ledger.scans.slice(0, -1), leaving });
    void this.#send();
    return { kind: "undone", scan, number: ledger.scans.length };
  }

  readonly retry = (): void => void this.#send();

  /** The session no longer exists, so nothing is added to it. */
  forgetSession(): void {
    const { ledger } = this.getSnapshot();
    this.#keep(ledgers.inAnotherSession(ledger, openingOf(this.#parts, ledger)));
    if (ledger.sessionId !== null) this.#events?.onGone({ id: ledger.sessionId, sessionName: ledger.sessionName });
    void this.#send();
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    clearTimeout(this.#timer);
    try {
      for (let work = this.#nextWork(); work !== null; work = this.#nextWork()) {
        if (this.getSnapshot().link.kind !== "away") this.change({ link: { kind: "sending" } });
        await this.#do(work);
      }
      this.change({ link: { kind: "idle" } });
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isSending = false;
    }
  }

  #nextWork(): ledgers.Work | null {
    return this.#events && this.getSnapshot().isMine ? ledgers.nextWork(this.getSnapshot().ledger) : null;
  }

  async #do(work: ledgers.Work): Promise<void> {
    const { key } = this.getSnapshot().ledger;
    if (work.kind !== "remove")
      this.#keep(ledgers.withState(this.getSnapshot().ledger, ledgers.linesOf(work), "tried"));
    const answer = await this.#ask(work);
    // Another tab may have taken over. It resends scans that it doesn't know arrived; the server ignores duplicates.
    if (this.getSnapshot().ledger.key !== key || !this.getSnapshot().isMine) return;
    if (answer === "gone") return this.forgetSession();
    this.#keep(settled(this.getSnapshot().ledger, work, answer));
    if (answer) this.#events?.onSession(answer);
  }

  /** The session after the request; null if the row to remove didn't exist, `gone` if the session was deleted. */
  async #ask(work: ledgers.Work): Promise<ScanSession | null | "gone"> {
    const { server } = this.#parts;
    try {
      switch (work.kind) {
        case "open":
          return await server.open(work.scan, this.getSnapshot().ledger);
        case "add":
          return await server.add(work.sessionId, work.scans);
        case "remove":
          return await server.remove(work.sessionId, work.scan.line);
      }
    } catch (error) {
      if (work.kind !== "open" && isGone(error)) return "gone";
      throw error;
    }
  }

  #fail(error: unknown): void {
    if (!mayPass(error)) return this.change({ link: { kind: "refused", problem: errorMessage(error) } });
    this.change({ link: { kind: "away" } });
    if (this.#events) this.#timer = setTimeout(() => void this.#send(), TRY_AGAIN_MS);
  }

  #giveWay(ledger: ledgers.Ledger | null): void {
    if (ledger?.owner === this.#parts.owner || !this.getSnapshot().isMine) return;
    this.change({ isMine: false, ...(ledger === null ? {} : { ledger }) });
    this.#events?.onGivenAway();
  }

  #keep(ledger: ledgers.Ledger): void {
    if (!this.getSnapshot().isMine) return;
    this.change({ ledger, isKept: this.#parts.remembered.save(ledger) });
  }
}

function openingOf({ owner, now }: StationParts, { mode, includePricing }: ledgers.StationOptions): ledgers.Opening {
  const sessionName = defaultSessionName(STATION_FILE, now());
  return { owner, key: randomKey(), sessionName, mode, includePricing, startedAt: now().toISOString() };
}

function settled(ledger: ledgers.Ledger, work: ledgers.Work, session: ScanSession | null): ledgers.Ledger {
  // The row was removed, or never existed.
  if (work.kind === "remove")
    return { ...ledger, leaving: ledger.leaving.filter(({ line }) => line !== work.scan.line) };
  return ledgers.withState(session ? { ...ledger, sessionId: session.id } : ledger, ledgers.linesOf(work), "sent");
}
