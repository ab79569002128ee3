import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useEffect, useEffectEvent, useMemo, useRef, useSyncExternalStore } from "react";
import { errorMessage, isGone, mayPass } from "../api/errors.ts";
import { browserPorts, followRun, type RunFollower, type RunPorts } from "./follow-run.ts";
import { Store } from "../ui/store.ts";
import { RowsStore } from "./rows-store.ts";

/** Delay before an unreachable server is tried again, in milliseconds. */
export const TRY_AGAIN_MS = 3_000;

/** `failed` is retried automatically if the cause may pass. `gone`: deleted, or this user may not see it. */
export type RowsLoading =
  | { kind: "loading" }
  | { kind: "ready" }
  | { kind: "failed"; problem: string; retry: () => void }
  | { kind: "gone" };

export type SessionSnapshot = { session: ScanSession | null; loading: RowsLoading };

export type JoinOptions = {
  known: ScanSession | null;
  /** The row to load first, with the rows around it. Ignored if the session is open already. */
  firstRowId: string | null;
  /** While false, this place needs no updates. */
  isInView: boolean;
};

const NOT_LOADED: SessionSnapshot = { session: null, loading: { kind: "loading" } };

const openSessions = new Map<string, OpenSession>();

/**
 * One session that the page shows, its rows, and the stream that keeps both current. Opens with the first place that
 * joins it and closes with the last. Holds no connection while all its places are hidden.
 */
export class OpenSession extends Store<SessionSnapshot> {
  readonly id: string;
  readonly rows = new RowsStore();
  readonly #ports: RunPorts;
  readonly #places = new Set<{ isInView: boolean }>();
  #firstRowId: string | null = null;
  /** Null while closed, and until the record is loaded. */
  #follower: RunFollower | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string, ports = browserPorts) {
    super(NOT_LOADED);
    this.id = id;
    this.#ports = ports;
  }

  join({ known, firstRowId, isInView }: JoinOptions) {
    const place = { isInView };
    this.#places.add(place);
    if (known !== null) this.#take(known);
    if (this.#places.size === 1) {
      openSessions.set(this.id, this);
      this.#firstRowId = firstRowId;
      void this.#open();
    }
    this.#updateInView();
    return {
      setInView: (isInViewNow: boolean): void => {
        place.isInView = isInViewNow;
        this.#updateInView();
      },
      leave: (): void => {
        this.#places.delete(place);
        if (this.#places.size === 0) this.#close();
        else this.#updateInView();
      },
    };
  }

  /** Shows the session that an action returned. Its rows may have changed too. */
  apply(session: ScanSession): void {
    this.#take(session);
    this.catchUp();
  }

  /** Fetches what changed; call after an action whose answer doesn't hold all changes. */
  catchUp(): void {
    this.#follower?.catchUp();
  }

  async #open(): Promise<void> {
    clearTimeout(this.#timer);
    this.change({ loading: { kind: "loading" } });
    try {
      const session = this.getSnapshot().session ?? (await this.#ports.getSession(this.id));
      if (this.#places.size === 0) return;
      this.#take(session);
      this.#follower?.close();
      this.#follower = followRun({
        ports: this.#ports,
        session,
        rows: this.rows,
        firstRowId: this.#firstRowId,
        onSession: (newer) => this.#take(newer),
        onLoaded: () => this.change({ loading: { kind: "ready" } }),
        onFailure: (error) => this.#fail(error),
      });
      this.#updateInView();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#places.size === 0) return;
    if (isGone(error)) {
      this.rows.clear();
      this.change({ loading: { kind: "gone" } });
      return;
    }
    const retry = (): void => void this.#open();
    this.change({ loading: { kind: "failed", problem: errorMessage(error), retry } });
    if (mayPass(error)) this.#timer = setTimeout(retry, TRY_AGAIN_MS);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#follower?.close();
    this.#follower = null;
    this.rows.clear();
    this.change(NOT_LOADED);
    if (openSessions.get(this.id) === this) openSessions.delete(this.id);
  }

  #updateInView(): void {
    this.#follower?.setInView([...this.#places].some(({ isInView }) => isInView));
  }

  /** A late answer never replaces a newer state. */
  #take(session: ScanSession): void {
    const shown = this.getSnapshot().session;
    const newer = shown === null ? session : newerSession(shown, session);
    if (newer !== shown) this.change({ session: newer });
  }
}

/** The newer state of a session. An unchanged offer rule stays the same object: a new one re-renders every row. */
export function newerSession(shown: ScanSession, received: ScanSession): ScanSession {
  if (received.id !== shown.id || received.eventSeq < shown.eventSeq) return shown;
  const { offerRule } = shown;
  const isSame = offerRule !== received.offerRule && JSON.stringify(offerRule) === JSON.stringify(received.offerRule);
  return isSame ? { ...received, offerRule } : received;
}

/** The page's one store of a session. It loads nothing until it is joined. */
function openSessionOf(sessionId: string): OpenSession {
  const open = openSessions.get(sessionId) ?? new OpenSession(sessionId);
  openSessions.set(sessionId, open);
  return open;
}

/** The store of a session that the page shows; undefined if it doesn't. */
export const shownSession = (sessionId: string): OpenSession | undefined => openSessions.get(sessionId);

export type ShownSession = SessionSnapshot & { rows: RowsStore };

export const NO_ROWS = new RowsStore();
const NO_SESSION: SessionSnapshot = { session: null, loading: { kind: "ready" } };
const neverChanges = (): (() => void) => () => {};

/** Opens a session and keeps it current; null opens none. Places that show the same session share it. */
export function useOpenSession(
  sessionId: string | null,
  { known = null, isInView = true, firstRowId = null }: Partial<JoinOptions> = {},
): ShownSession {
  const open = useMemo(() => (sessionId === null ? null : openSessionOf(sessionId)), [sessionId]);
  const snapshot = useSyncExternalStore(open?.subscribe ?? neverChanges, open?.getSnapshot ?? (() => NO_SESSION));
  const place = useRef<ReturnType<OpenSession["join"]> | null>(null);
  const join = useEffectEvent((session: OpenSession) => session.join({ known, isInView, firstRowId }));
  useEffect(() => {
    if (open === null) return;
    const joined = join(open);
    place.current = joined;
    return () => {
      place.current = null;
      joined.leave();
    };
  }, [open]);
  useEffect(() => place.current?.setInView(isInView), [isInView]);
  return { ...snapshot, rows: open?.rows ?? NO_ROWS };
}
