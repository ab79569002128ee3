import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { TEMPLATE_LINES } from "@slabdesk/contract/sheet/session-name.ts";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import type { AddedRow } from "../../../api/rows.ts";
import { getScanSession, startScanSession } from "../../../api/sessions.ts";
import { isGone } from "../../../api/errors.ts";
import { logQuietly } from "../../../api/quiet-log.ts";
import { NO_ROWS } from "../../../run/open-session.ts";
import { announceDeletion } from "../../../run/session-messages.ts";
import { actOn, addToSession, deleteLine } from "../../../run/session-requests.ts";
import { useAction } from "../../../api/use-action.ts";
import { toast } from "../../../ui/toast.tsx";
import { type Scanner, useRetried } from "../use-scanner.ts";
import { isBlank, type Scan } from "./ledger.ts";
import { type CompanyChoice, readScan } from "./read-scan.ts";
import { Station, STATION_FILE, type StationServer, type Verdict } from "./station.ts";
import { rememberMuted, rememberOpen, storedLedgerOf, tabName, wasMuted, wasOpen } from "./stored-ledger.ts";

/** The verdict of the last scan or undo; `serial` distinguishes equal verdicts. */
export type LastVerdict = { serial: number; verdict: Verdict };
export type StationControl = ReturnType<typeof useStation>;

/** The scan station: its scans and sounds, and its session in place of the one shown before. */
export function useStation(scanner: Scanner, profile: Profile | null) {
  const { dispatch, session: shown } = scanner;
  const [isWanted, setWanted] = useState(wasOpen);
  const [last, setLast] = useState<LastVerdict | null>(null);
  const [choice, setChoice] = useState<CompanyChoice>("auto");
  const [isMuted, setMuted] = useState(wasMuted);
  /** The session shown before the station opened; closing the station shows it again. */
  const [beside, setBeside] = useState<ScanSession | null>(null);
  const { station, state } = useOneStation(scanner, profile?.id ?? "", isWanted);
  /** The station's session, if the page shows it. */
  const own = shown !== null && shown.id === state.ledger.sessionId ? shown : null;
  const repricing = useAction({
    send: (sessionId: string) => actOn(sessionId, "reprice"),
    failure: (sessionId) => ({ id: `reprice-${sessionId}`, title: "Couldn't get the prices" }),
  });
  const isOpen = isWanted && state.isMine;
  const isReady = scanner.state.run === "idle";

  if (isOpen && isReady && shown !== null && shown !== beside && shown.csvFilename !== STATION_FILE) setBeside(shown);
  useOwnSession(station, isOpen && isReady ? state.ledger.sessionId : null, scanner);
  // The table, which follows the station's session, may find it deleted.
  const isDeleted = scanner.state.deleted !== null && scanner.state.deleted === state.ledger.sessionId;
  useEffect(() => {
    if (isDeleted) station.forgetSession();
  }, [isDeleted, station]);
  /** The first scan opens the session with or without prices. A session with prices keeps them. */
  const { includePricing } = own ?? (isBlank(state.ledger) ? scanner.state.options : state.ledger);

  const say = (verdict: Verdict | null): void => {
    if (verdict === null) return;
    setLast((before) => ({ serial: (before?.serial ?? 0) + 1, verdict }));
    if (!isMuted) sound(verdict.kind).catch((error: unknown) => logQuietly("Playing the scan sound failed", error));
  };
  return {
    isOpen,
    open: () => {
      station.takeOver();
      rememberOpen(true);
      setLast(null);
      setWanted(true);
    },
    close: () => {
      rememberOpen(false);
      setWanted(false);
      setBeside(null);
      if (beside) dispatch({ type: "session_shown", session: beside });
    },
    state,
    last,
    scan: (text: string) => {
      if (text.trim() !== "") say(station.scan(text.trim(), choice, scanner.state.options));
    },
    undo: () => say(station.undo()),
    startNew: () => {
      station.startNew();
      setLast(null);
    },
    retry: station.retry,
    choice,
    setChoice,
    isMuted,
    setMuted: (muted: boolean) => {
      rememberMuted(muted);
      setMuted(muted);
    },
    /** What a code identifies; all codes of one certificate return the same value. */
    meaningOf: (text: string) => {
      const reading = readScan(text, choice);
      return reading.kind === "ready" ? `${reading.company} ${reading.certNumber}` : text;
    },
    beside,
    prices: {
      isOn: includePricing,
      isLocked: repricing.isBusy || (own === null ? !isBlank(state.ledger) : includePricing),
      turn: (isOn: boolean) => {
        if (own === null) dispatch({ type: "options_chosen", options: { includePricing: isOn } });
        else repricing.run(own.id);
      },
    },
    offerRule: own?.offerRule ?? null,
    /** The rows of the station's session that the table has loaded. */
    rows: own === null ? NO_ROWS : scanner.rows,
  };
}

/** The user's single station; it runs as long as the tab is open. */
function useOneStation({ dispatch }: Scanner, userId: string, isOpen: boolean) {
  const [station] = useState(
    () =>
      new Station({
        server: serverFor(userId),
        remembered: storedLedgerOf(userId),
        owner: tabName(),
        now: () => new Date(),
      }),
  );
  const whileOpen = useEffectEvent((act: () => void): void => {
    if (isOpen) act();
  });
  useEffect(
    () =>
      station.run({
        onSession: (session) => whileOpen(() => dispatch({ type: "session_shown", session })),
        onGone: (gone) => {
          announceDeletion(gone);
          dispatch({ type: "session_gone", sessionId: gone.id });
        },
        onGivenAway: () => {
          rememberOpen(false);
          const message = "The scan station moved to another tab.";
          whileOpen(() => toast.info({ id: "station-elsewhere", message }));
        },
      }),
    [station, dispatch],
  );
  return { station, state: useSyncExternalStore(station.subscribe, station.getSnapshot) };
}

/** Shows the station's session, also after a reload. Drops a session that is gone. */
function useOwnSession(station: Station, sessionId: string | null, { session: shown, dispatch }: Scanner): void {
  useRetried(sessionId, {
    ask: async (id, signal) => {
      if (id === null || shown?.id === id) return;
      const session = await getScanSession(id);
      if (!signal.aborted) dispatch({ type: "session_shown", session });
    },
    onFailure: (error) => {
      if (isGone(error)) station.forgetSession();
      else logQuietly("Loading the station's session failed", error);
    },
  });
}

/** The requests of a user's page. The server refuses a start if another tab signed in a different user. */
const serverFor = (userId: string): StationServer => ({
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
      { userId, idempotencyKey: key },
    ),
  add: (sessionId, scans) => addToSession(sessionId, scans.map(rowOf)),
  remove: deleteLine,
});

/** A scan as a row of the template. A repaired number is sent as scanned, so that the row reports the repair. */
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

const note = (hertz: number, ms: number) => ({ hertz, ms });
type Tone = { wave: OscillatorType; notes: readonly ReturnType<typeof note>[] };

/** Distinct by ear: one short high note, two of them, a long low note, a falling note. */
export const TONES: Record<Verdict["kind"], Tone> = {
  ok: { wave: "sine", notes: [note(1046, 90)] },
  duplicate: { wave: "triangle", notes: [note(587, 110), note(587, 150)] },
  unreadable: { wave: "square", notes: [note(165, 380)] },
  undone: { wave: "sine", notes: [note(784, 80), note(523, 120)] },
};

const LOUDNESS = 0.16;
const GAP_S = 0.05;
const FADE_S = 0.012;

let context: AudioContext | null = null;

/** Browsers allow sound only after a click or key press. An earlier tone is skipped, not delayed. */
async function sound(kind: Verdict["kind"]): Promise<void> {
  context ??= new AudioContext();
  if (context.state !== "running") {
    if (!navigator.userActivation.hasBeenActive) return;
    await context.resume();
  }
  play(context, TONES[kind]);
}

function play(audio: AudioContext, { wave, notes }: Tone): void {
  let start = audio.currentTime;
  for (const { hertz, ms } of notes) {
    const end = start + ms / 1000;
    const oscillator = new OscillatorNode(audio, { type: wave, frequency: hertz });
    const gain = new GainNode(audio, { gain: 0 });
    // Without the fades, each note would start and end with a click.
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(LOUDNESS, start + FADE_S);
    gain.gain.setValueAtTime(LOUDNESS, end - FADE_S);
    gain.gain.linearRampToValueAtTime(0, end);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(end);
    start = end + GAP_S;
  }
}
