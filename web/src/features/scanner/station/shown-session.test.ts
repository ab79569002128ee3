import { expect, test } from "vitest";
import { INITIAL_STATE, type RunState, type ScannerState, scannerReducer, sessionOf } from "../scanner-state.ts";
import { aSession } from "../../../run/session-factory.test-data.ts";

const SHEET = aSession({ id: "sheet", eventSeq: 7 });
const STATION = aSession({ id: "station", eventSeq: 3 });

const attached = (isStopping = false): RunState => ({ kind: "attached", session: SHEET, isStopping, problem: null });
const shown = (run: RunState, session = STATION, change: Partial<ScannerState> = {}): ScannerState =>
  scannerReducer({ ...INITIAL_STATE, ...change, run }, { type: "session_shown", session });

test.each<RunState>([{ kind: "looking" }, { kind: "none", problem: null }, attached(), attached(true)])(
  "the station's session replaces $kind, cleared or not",
  (run) => {
    const state = shown(run, STATION, { isCleared: true });
    expect(state.run).toEqual({ kind: "attached", session: STATION, isStopping: false, problem: null });
    expect(state.isCleared).toBe(false);
  },
);

test("a start is not disturbed: its session will be shown", () => {
  const run: RunState = { kind: "starting", previous: null };
  expect(shown(run).run).toBe(run);
});

test("a shown session takes a newer state, ignores an older one, and stays cleared", () => {
  const newer = aSession({ id: "sheet", eventSeq: 9, status: "completed" });
  expect(sessionOf(shown(attached(), newer).run)).toBe(newer);
  expect(sessionOf(shown(attached(), aSession({ id: "sheet", eventSeq: 5 })).run)).toBe(SHEET);
  expect(shown(attached(), newer, { isCleared: true }).isCleared).toBe(true);
});
