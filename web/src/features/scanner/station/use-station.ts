import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { TEMPLATE_LINES } from "@slabdesk/contract/sheet/session-name.ts";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type AddedRow, addRows, findRowOfLine, removeRow } from "../../../api/rows.ts";
import { startScanSession, getScanSession } from "../../../api/sessions.ts";
import { isGone, mayPass } from "../../../api/errors.ts";
import { logQuietly } from "../../../api/quiet-log.ts";
import { shownSession } from "../../../run/open-session.ts";
import type { RowsStore } from "../../../run/rows-store.ts";
import { tellDeleted } from "../../../run/deleted-session.ts";
import { toast } from "../../../ui/toast.tsx";
import { sessionOf } from "../scanner-state.ts";
import type { Scanner } from "../use-scanner.ts";
import type { Scan } from "./ledger.ts";
import { type CompanyChoice, readScan } from "./read-scan.ts";
import { Station, STATION_FILE, type StationServer, type StationView, TRY_AGAIN_MS, type Verdict } from "./station.ts";
import { storedLedgerOf, rememberMuted, rememberOpen, tabName, wasMuted, wasOpen } from "./stored-ledger.ts";
import { sound } from "./tones.ts";

export type StationControl = {
  isOpen: boolean;
  open: () => void;
  close: () => void;
  view: StationView;
  /** The result of the last scan or undo; `serial` distinguishes equal results. */
  verdict: { serial: number; verdict: Verdict } | null;
  scan: (text: string) => void;
  undo: () => void;
  startNew: () => void;
  retry: () => void;
  choice: CompanyChoice;
  setChoice: (choice: CompanyChoice) => void;
  isMuted: boolean;
  setMuted: (isMuted: boolean) => void;
  /** What a code identifies; all codes of one certificate return the same value. */
  meaningOf: (text: string) => string;
  /** The session shown before the station opened; closing the station shows it again. */
  beside: ScanSession | null;
  /** The rows of the station's session that the table has loaded. */
  rows: RowsStore | null;
};

/** The scan station: its scans and sounds, and its session in place of the one shown before. */
export function useStation(scanner: Scanner, profile: Profile | null): StationControl {
  const { state, dispatch } = scanner;
  const [isWanted, setWanted] = useState(wasOpen);
  const [verdict, setVerdict] = useState<StationControl["verdict"]>(null);
  const [choice, setChoice] = useState<CompanyChoice>("auto");
  const [isMuted, setMuted] = useState(wasMuted);
  const [beside, setBeside] = useState<ScanSession | null>(null);
  const { station, view } = useOneStation(scanner, profile?.id ?? "", isWanted);
  const isOpen = isWanted && view.isMine;
  const shown = sessionOf(state.run);
  const isReady = state.run.kind === "none" || state.run.kind === "attached";

  if (isOpen && isReady && shown !== null && shown !== beside && shown.csvFilename !== STATION_FILE) setBeside(shown);
  useOwnSession(station, isOpen && isReady ? view.ledger.sessionId : null, scanner);
  useDeletedSession(station, view, state.deleted);

  const say = (next: Verdict | null): void => {
    if (next === null) return;
    setVerdict((last) => ({ serial: (last?.serial ?? 0) + 1, verdict: next }));
    if (!isMuted) sound(next.kind).catch((error: unknown) => logQuietly("Playing the scan sound failed", error));
  };
  return {
    isOpen,
    open: () => {
      station.takeOver();
      rememberOpen(true);
      setVerdict(null);
      setWanted(true);
    },
    close: () => {
      rememberOpen(false);
      setWanted(false);
      setBeside(null);
      if (beside) dispatch({ type: "session_shown", session: beside });
    },
    view,
    verdict,
    scan: (text) => {
      if (text.trim() !== "") say(station.scan(text.trim(), choice, state.options));
    },
    undo: () => say(station.undo()),
    startNew: () => {
      station.startNew();
      setVerdict(null);
    },
    retry: () => station.retry(),
    choice,
    setChoice,
    isMuted,
    setMuted: (muted) => {
      rememberMuted(muted);
      setMuted(muted);
    },
    meaningOf: (text) => {
      const reading = readScan(text, choice);
      return reading.kind === "ready" ? `${reading.company} ${reading.certNumber}` : text;
    },
    beside,
    rows: shown?.id === view.ledger.sessionId ? scanner.rows : null,
  };
}

/** The user's single station; it runs as long as the tab is open. */
function useOneStation(scanner: Scanner, userId: string, isOpen: boolean): { station: Station; view: StationView } {
  const latest = useRef({ scanner, isOpen });
  useEffect(() => {
    latest.current = { scanner, isOpen };
  });
  const [station] = useState(
    () => new Station({ server: SERVER, remembered: storedLedgerOf(userId), owner: tabName(), now: () => new Date() }),
  );
  useEffect(
    () =>
      station.run({
        onSession: (session) => {
          const { scanner, isOpen } = latest.current;
          shownSession(session.id)?.apply(session);
          if (isOpen) scanner.dispatch({ type: "session_shown", session });
        },
        onRemoved: (sessionId, rowId) => shownSession(sessionId)?.rows.remove(rowId),
        onGone: (gone) => {
          tellDeleted(gone);
          latest.current.scanner.dispatch({ type: "session_gone", sessionId: gone.id });
        },
        onGivenAway: () => {
          rememberOpen(false);
          if (latest.current.isOpen)
            toast.info({ id: "station-elsewhere", message: "The scan station goes on in another tab." });
        },
      }),
    [station],
  );
  return { station, view: useSyncExternalStore(station.subscribe, station.getView) };
}

/** Shows the station's session, also after a reload. Drops a session that is gone. */
function useOwnSession(station: Station, sessionId: string | null, scanner: Scanner): void {
  const { dispatch } = scanner;
  const shownId = useRef<string | null>(null);
  useEffect(() => {
    shownId.current = sessionOf(scanner.state.run)?.id ?? null;
  });
  useEffect(() => {
    if (sessionId === null || shownId.current === sessionId) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const show = async (): Promise<void> => {
      try {
        const session = await getScanSession(sessionId);
        if (!isOver) dispatch({ type: "session_shown", session });
      } catch (error) {
        if (isOver) return;
        if (isGone(error)) station.forgetSession();
        else if (mayPass(error)) timer = setTimeout(() => void show(), TRY_AGAIN_MS);
        else logQuietly("Loading the station's session failed", error);
      }
    };
    void show();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [sessionId, station, dispatch]);
}

/** The table, which follows the station's session, found it deleted. */
function useDeletedSession(station: Station, { ledger }: StationView, deletedId: string | null): void {
  const isDeleted = deletedId !== null && deletedId === ledger.sessionId;
  useEffect(() => {
    if (isDeleted) station.forgetSession();
  }, [isDeleted, station]);
}

const SERVER: StationServer = {
  open: (scan, { key, sessionName, mode, includePricing }) =>
    startScanSession(
      {
        sessionName,
        csvFilename: STATION_FILE,
        header: [...TEMPLATE_LINES[0]],
        rows: [rowOf(scan)],
        mode,
        includePricing,
        reuseKnown: true,
        acceptCompanies: true,
      },
      { idempotencyKey: key },
    ),
  add: (sessionId, scans) => addRows(sessionId, scans.map(rowOf)),
  remove: async (sessionId, line) => {
    const row = await findRowOfLine(sessionId, line);
    if (row === null) return null;
    try {
      return { session: await removeRow(row.id), rowId: row.id };
    } catch (error) {
      // Another user removed it in the meantime.
      if (isGone(error)) return null;
      throw error;
    }
  },
};

/**
 * Formats a scan like a row of the template. A repaired number is sent as scanned, so that the row reports the repair.
 * A slab's link doesn't count as damage.
 */
function rowOf({ line, text, company, certNumber, repaired }: Scan): AddedRow {
  return {
    line,
    cells: [text, company, "", ""],
    certNumber: repaired === "" ? certNumber : text,
    gradingCompany: company,
    price: "",
    notes: "",
  };
}
