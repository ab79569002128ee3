import { type Ledger, ledgerSchema } from "./ledger.ts";

/**
 * What the station keeps in the browser. The ledger is the user's and is kept over reloads; which tab scans, and
 * whether its station is open, is the tab's. All of it goes when he logs out (see browser-storage.ts). Whether it
 * sounds is a preference of the device and stays.
 */
const LEDGER_KEY = "slabdesk:scan-station:";
const TAB_KEY = "slabdesk:scan-station-tab";
const OPEN_KEY = "slabdesk:scan-station-open";
const MUTED_KEY = "slabdesk-scan-station-muted";

/** Storage may be forbidden or full, and what stands in it may be spoiled: the answer is the fallback then. */
function guarded<Answer>(access: () => Answer, fallback: Answer): Answer {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return fallback;
    throw error;
  }
}

export type StoredLedger = {
  load: () => Ledger | null;
  /** False when it could not be kept. */
  save: (ledger: Ledger) => boolean;
  /** Calls back with the ledger that another tab has written, null when it was deleted. Returns the way to stop. */
  onWrittenElsewhere: (listener: (ledger: Ledger | null) => void) => () => void;
};

export function storedLedgerOf(userId: string): StoredLedger {
  const key = `${LEDGER_KEY}${userId}`;
  return {
    load: () => guarded(() => readLedger(localStorage.getItem(key)), null),
    save: (ledger) =>
      guarded(() => {
        localStorage.setItem(key, JSON.stringify(ledger));
        return true;
      }, false),
    onWrittenElsewhere: (listener) => {
      const onStorage = (event: StorageEvent): void => {
        if (event.storageArea === localStorage && (event.key === key || event.key === null))
          listener(guarded(() => readLedger(event.newValue), null));
      };
      window.addEventListener("storage", onStorage);
      return () => window.removeEventListener("storage", onStorage);
    },
  };
}

/** Null for what an older version has left. */
function readLedger(text: string | null): Ledger | null {
  if (text === null) return null;
  const ledger = ledgerSchema.safeParse(JSON.parse(text));
  return ledger.success ? ledger.data : null;
}

/** `crypto.randomUUID` exists only on https and on this machine; this works on a shop's own network too. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The name of this tab, the same after a reload. */
export function tabName(): string {
  return guarded(() => {
    const known = sessionStorage.getItem(TAB_KEY);
    if (known !== null) return known;
    const name = randomKey();
    sessionStorage.setItem(TAB_KEY, name);
    return name;
  }, "only-tab");
}

export function wasOpen(): boolean {
  return guarded(() => sessionStorage.getItem(OPEN_KEY) !== null, false);
}

export function rememberOpen(isOpen: boolean): void {
  guarded(() => {
    if (isOpen) sessionStorage.setItem(OPEN_KEY, "open");
    else sessionStorage.removeItem(OPEN_KEY);
  }, undefined);
}

export function wasMuted(): boolean {
  return guarded(() => localStorage.getItem(MUTED_KEY) !== null, false);
}

export function rememberMuted(isMuted: boolean): void {
  guarded(() => {
    if (isMuted) localStorage.setItem(MUTED_KEY, "muted");
    else localStorage.removeItem(MUTED_KEY);
  }, undefined);
}
