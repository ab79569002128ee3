import { describe, expect, test } from "vitest";
import { canStart, INITIAL_STATE, type ScannerEvent, type ScannerState, scannerReducer } from "./scanner-state.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { aSession } from "../../run/session-factory.test-data.ts";
import { summarizeSheet } from "./sheet/sheet-summary.ts";
import { SheetWorkerClient } from "./sheet/sheet-worker-client.ts";

const WORKER = new SheetWorkerClient();
const VIEW = { ...summarizeSheet({ header: ["CertNumber"], rows: [] }), columns: [], guess: null };

const chosen = (reading: number, fileName = "a.csv"): ScannerEvent => ({
  type: "file_chosen",
  chosen: { reading, fileName, shownName: fileName, worker: WORKER, defaultName: `${fileName} - Nov 21, 2026` },
});
const read = (reading: number, version = 1): ScannerEvent => ({
  type: "sheet_read",
  reading,
  result: { kind: "ready", loaded: { version, ...VIEW } },
});
const after = (...events: ScannerEvent[]): ScannerState => events.reduce(scannerReducer, INITIAL_STATE);
const NOTHING_RUNNING: ScannerEvent = { type: "session_found", session: null };
const ready = [NOTHING_RUNNING, chosen(1), read(1)] as const;

describe("a deleted session", () => {
  const shown: ScannerEvent = { type: "session_found", session: aSession() };
  const gone: ScannerEvent = { type: "session_gone", sessionId: "session-1" };

  test("is no longer shown, and another run can start", () => {
    const state = after(shown, { type: "view_cleared", isRunning: true }, gone);
    expect(state).toMatchObject({ shown: null, problem: null, deleted: "session-1", isCleared: false });
    expect(canStart(state.run, state.shown)).toBe(true);
  });

  test("does not return when the start of another one fails", () => {
    const finished = aSession({ status: "completed", counts: { completed: 3 } });
    const starting: ScannerEvent[] = [{ type: "session_found", session: finished }, { type: "start_requested" }, gone];
    const failed = after(...starting, { type: "start_failed", problem: "no" });
    expect(failed).toMatchObject({ run: "idle", shown: null, problem: "no" });
    expect(after(...starting, { type: "started", session: aSession({ id: "next" }) }).deleted).toBeNull();
  });

  test("with another id does not affect the shown one", () => {
    expect(after(shown, { type: "session_gone", sessionId: "other" })).toEqual(after(shown));
  });

  test("is forgotten when another one is shown", () => {
    expect(after(shown, gone, { type: "session_shown", session: aSession({ id: "next" }) }).deleted).toBeNull();
  });
});

describe("the sheet", () => {
  test("is ready when it has been read", () => {
    expect(after(chosen(1), read(1)).sheet).toMatchObject({
      kind: "ready",
      fileName: "a.csv",
      defaultName: "a.csv - Nov 21, 2026",
    });
  });

  test("ignores the result of an older read", () => {
    expect(after(chosen(1), chosen(2, "b.csv"), read(1)).sheet).toMatchObject({ kind: "reading", fileName: "b.csv" });
    expect(
      after(chosen(1), chosen(2, "b.csv"), read(2), {
        type: "sheet_read",
        reading: 1,
        result: { kind: "none", problem: "broken" },
      }).sheet,
    ).toMatchObject({ kind: "ready", fileName: "b.csv" });
  });

  test("clears the selection and says why when a file is refused", () => {
    expect(
      after(chosen(1), read(1), { type: "sheet_closed", problem: "Please select a valid CSV file." }).sheet,
    ).toEqual({
      kind: "none",
      problem: "Please select a valid CSV file.",
    });
  });

  test("waits for the column question; choosing other columns makes it ready again", () => {
    const asked: ScannerEvent = {
      type: "sheet_read",
      reading: 1,
      result: {
        kind: "question",
        question: { kind: "sheets", source: 0, fileName: "a.xlsx", sheets: [] },
        isOpen: true,
      },
    };
    expect(after(chosen(1), asked).sheet).toMatchObject({ kind: "question", question: { kind: "sheets" } });
    expect(after(chosen(1), asked, read(1)).sheet.kind).toBe("ready");
    const closed: ScannerEvent = { type: "question_turned", isOpen: false };
    const elsewhere: ScannerEvent = { type: "session_shown", session: aSession() };
    expect(after(NOTHING_RUNNING, chosen(1), asked, closed, elsewhere).sheet).toMatchObject({ isOpen: false });
    expect(after(chosen(1), read(1), read(1, 2)).sheet).toMatchObject({ kind: "ready", loaded: { version: 2 } });
    expect(after(chosen(1), chosen(2), asked).sheet).toMatchObject({ kind: "reading", reading: 2 });
  });

  test("forgets the typed session name when another file is chosen", () => {
    expect(after(chosen(1), read(1), { type: "name_typed", sessionName: "Dallas" }, chosen(2)).sessionName).toBe("");
  });
});

describe("a start", () => {
  test("is impossible while searching, starting, or processing, and possible otherwise", () => {
    expect(canStart(INITIAL_STATE.run, null)).toBe(false);
    expect(canStart(after(...ready).run, null)).toBe(true);
    expect(canStart(after(...ready, { type: "start_requested" }).run, null)).toBe(false);
    expect(canStart("idle", aSession())).toBe(false);
    expect(canStart("idle", aSession({ status: "completed" }))).toBe(true);
  });

  test("puts the sheet away, so that a second click can't start it again, and keeps its lines for the table", () => {
    const started = after(...ready, { type: "start_requested" }, { type: "started", session: aSession() });
    expect(started).toMatchObject({ sheet: { kind: "none", problem: null }, started: { reading: 1 }, sessionName: "" });
    expect(scannerReducer(started, chosen(2)).started).toBeNull();
    expect(scannerReducer(started, { type: "session_gone", sessionId: "session-1" }).started).toBeNull();
  });

  test("ignores a second click, so both use the same draft", () => {
    const once = after(...ready, { type: "start_requested" });
    expect(scannerReducer(once, { type: "start_requested" })).toBe(once);
  });

  test("keeps the draft for another try if it fails; a started run uses it up", () => {
    const before = after(...ready).draft;
    const failed = after(
      ...ready,
      { type: "start_requested" },
      { type: "start_failed", problem: "Could not connect to backend server" },
    );
    expect(failed.draft).toBe(before);
    expect(failed.problem).toBe("Could not connect to backend server");
    expect(after(...ready, { type: "start_requested" }, { type: "started", session: aSession() }).draft).not.toBe(
      before,
    );
  });

  test.each<ScannerEvent>([
    { type: "name_typed", sessionName: "Dallas" },
    { type: "options_chosen", options: { mode: "api" } },
    { type: "options_chosen", options: { reuseKnown: false } },
    { type: "options_chosen", options: { includePricing: true } },
    chosen(2),
  ])("every option that a start would send changes the draft: $type", (event) => {
    const before = after(...ready);
    expect(scannerReducer(before, event).draft).not.toBe(before.draft);
  });

  test("shows the finished run again if it fails", () => {
    const done = aSession({ status: "completed" });
    const state = after(
      { type: "session_found", session: done },
      { type: "start_requested" },
      { type: "start_failed", problem: "no" },
    );
    expect(state).toMatchObject({ shown: done, problem: "no" });
  });

  test("without a sheet shows a message beside the button", () => {
    expect(after(NOTHING_RUNNING, { type: "start_refused", problem: "Please upload a CSV file first." }).problem).toBe(
      "Please upload a CSV file first.",
    );
  });

  test("is cleared of its error when a sheet is chosen", () => {
    const refused = { type: "start_refused", problem: "Please upload a CSV file first." } as const;
    expect(after(NOTHING_RUNNING, refused, chosen(1)).problem).toBeNull();
  });
});

describe("a run", () => {
  const running = [
    ...ready,
    { type: "start_requested" },
    { type: "started", session: aSession({ eventSeq: 5 }) },
  ] as const;

  test("is stopping from the request until its end arrives", () => {
    const stopping = after(...running, { type: "stop_requested" });
    expect(stopping.isStopping).toBe(true);
    expect(scannerReducer(stopping, { type: "run_ended" }).isStopping).toBe(false);
  });

  test("can be stopped again if a stop failed", () => {
    expect(after(...running, { type: "stop_requested" }, { type: "stop_failed", problem: "no answer" })).toMatchObject({
      isStopping: false,
      problem: "no answer",
    });
  });

  test("stays shown when the view is cleared while it runs, and disappears when finished", () => {
    const cleared = after(...running, { type: "view_cleared", isRunning: true });
    expect(cleared).toMatchObject({ isCleared: true, shown: { id: "session-1" } });
    expect(scannerReducer(cleared, { type: "view_restored" }).isCleared).toBe(false);
    expect(after(...running, { type: "view_cleared", isRunning: false }).shown).toBeNull();
  });

  test("is shown although the view was cleared before", () => {
    expect(
      after(
        ...running,
        { type: "view_cleared", isRunning: true },
        { type: "start_requested" },
        { type: "started", session: aSession({ id: "session-2" }) },
      ).isCleared,
    ).toBe(false);
  });

  test("is not replaced by a late search for the last session", () => {
    const state = after(...running);
    expect(scannerReducer(state, { type: "session_found", session: aSession({ id: "other" }) })).toBe(state);
  });
});

describe("a session that is shown", () => {
  const shown: ScannerEvent = { type: "session_found", session: aSession({ id: "sheet" }) };
  const STATION = aSession({ id: "station" });
  const show: ScannerEvent = { type: "session_shown", session: STATION };

  test.each<[string, ScannerEvent[]]>([
    ["before the search ends", []],
    ["after nothing was found", [NOTHING_RUNNING]],
    ["after another session", [shown]],
    ["after a session that is stopping", [shown, { type: "stop_requested" }]],
  ])("replaces what was there, cleared or not: %s", (_when, events) => {
    expect(after(...events, { type: "view_cleared", isRunning: true }, show)).toMatchObject({
      run: "idle",
      shown: STATION,
      isStopping: false,
      problem: null,
      isCleared: false,
    });
  });

  test("does not disturb a start: its session will be shown", () => {
    const starting = after(NOTHING_RUNNING, { type: "start_requested" });
    expect(scannerReducer(starting, show)).toBe(starting);
  });

  test("stays cleared when it is shown again", () => {
    const cleared = after(show, { type: "view_cleared", isRunning: true });
    expect(scannerReducer(cleared, show)).toBe(cleared);
  });
});

test("requests prices only if chosen, and the choice stays for the next sheet", () => {
  expect(INITIAL_STATE.options.includePricing).toBe(false);
  expect(after({ type: "options_chosen", options: { includePricing: true } }, chosen(2)).options.includePricing).toBe(
    true,
  );
});

test("with only prices left allows another run", () => {
  const run = (counts: ScanSession["counts"]) => aSession({ counts, prices: { pending: 180, waiting: 0, waits: [] } });
  expect(canStart("idle", run({ completed: 3 }))).toBe(true);
  expect(canStart("idle", run({ completed: 2, pending: 1 }))).toBe(false);
});

test("whose cards all wait allows another run", () => {
  expect(canStart("idle", aSession({ counts: { completed: 3, waiting: 2 } }))).toBe(true);
  for (const state of ["pending", "processing", "queued"] as const)
    expect(canStart("idle", aSession({ counts: { waiting: 2, [state]: 1 } }))).toBe(false);
});
