import { type Ledger, ledgerSchema } from "./ledger.ts";

/**
 * The station's browser storage. The ledger belongs to the user and survives reloads. Which tab scans, and whether its
 * station is open, belong to the tab. Logout removes both (see browser-storage.ts). The sound setting belongs to the
 * device and stays.
 */
const LEDGER_KEY = "slabdesk:scan-station:";
const TAB_KEY = "slabdesk:scan-station-tab";
const OPEN_KEY = "slabdesk:scan-station-open";
const MUTED_KEY = "slabdesk-scan-station-muted";

/** Returns the fallback if storage is blocked or full, or if the stored data is corrupt. */
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
  /** False if saving failed. */
  save: (ledger: Ledger) => boolean;
  /** Calls back with the ledger another tab wrote, or null if it was deleted. Returns an unsubscribe function. */
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

/** Null for data from an older version. */
function readLedger(text: string | null): Ledger | null {
  if (text === null) return null;
  const ledger = ledgerSchema.safeParse(JSON.parse(text));
  return ledger.success ? ledger.data : null;
}

/** `crypto.randomUUID` needs https or localhost. This also works over plain http on a store's network. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** This tab's name; survives a reload. */
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
