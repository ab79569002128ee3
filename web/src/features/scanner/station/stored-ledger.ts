import { parseStored, randomKey, readItem, writeItem } from "../../../ui/stored-items.ts";
import { type Ledger, ledgerSchema } from "./ledger.ts";

/*
 * The station's browser storage. The ledger belongs to the user and survives reloads. Which tab scans, and whether its
 * station is open, belong to the tab. Logout removes both. The sound setting belongs to the device and stays.
 */
const LEDGER_KEY = "slabdesk:scan-station:";
const TAB_KEY = "slabdesk:scan-station-tab";
const OPEN_KEY = "slabdesk:scan-station-open";
const MUTED_KEY = "slabdesk-scan-station-muted";

export type StoredLedger = ReturnType<typeof storedLedgerOf>;

export function storedLedgerOf(userId: string) {
  const key = `${LEDGER_KEY}${userId}`;
  return {
    load: (): Ledger | null => parseStored(ledgerSchema, readItem("localStorage", key)),
    /** False if saving failed. */
    save: (ledger: Ledger): boolean => writeItem("localStorage", key, JSON.stringify(ledger)),
    /** Calls back with the ledger another tab wrote, or null if it was deleted. Returns an unsubscribe function. */
    onWrittenElsewhere: (listener: (ledger: Ledger | null) => void): (() => void) => {
      const onStorage = ({ storageArea, key: changed, newValue }: StorageEvent): void => {
        if (storageArea === localStorage && (changed === key || changed === null))
          listener(parseStored(ledgerSchema, newValue));
      };
      window.addEventListener("storage", onStorage);
      return () => window.removeEventListener("storage", onStorage);
    },
  };
}

export function tabName(): string {
  const known = readItem("sessionStorage", TAB_KEY);
  if (known !== null) return known;
  const name = randomKey();
  return writeItem("sessionStorage", TAB_KEY, name) ? name : "only-tab";
}

export const wasOpen = (): boolean => readItem("sessionStorage", OPEN_KEY) !== null;
export const rememberOpen = (isOpen: boolean) => writeItem("sessionStorage", OPEN_KEY, isOpen ? "open" : null);

export const wasMuted = (): boolean => readItem("localStorage", MUTED_KEY) !== null;
export const rememberMuted = (isMuted: boolean) => writeItem("localStorage", MUTED_KEY, isMuted ? "muted" : null);
