import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import { describe, expect, test } from "vitest";
import {
  canStart,
  INITIAL_STATE,
  isRunning,
  problemOf,
  type ScannerEvent,
  type ScannerState,
  scannerReducer,
  sessionOf,
} from "./scanner-state.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { aSession } from "../../run/session-factory.test-data.ts";
import { summarizeSheet } from "./sheet/sheet-summary.ts";
import { SheetWorkerClient } from "./sheet/sheet-worker-client.ts";

const DESK = new SheetWorkerClient();
const SUMMARIES = summarizeSheet({ header: ["CertNumber"], rows: [] });

const chosen = (reading: number, fileName = "a.csv"): ScannerEvent => ({
  type: "file_chosen",
  reading,
  fileName,
  shownName: fileName,
  worker: DESK,
  defaultName: `${fileName} - 11/21/2026`,
});
const read = (reading: number): ScannerEvent => ({
  type: "sheet_read",
  reading,
  loaded: { version: 1, summaries: SUMMARIES, columns: [] },
});
const after = (...events: ScannerEvent[]): ScannerState => events.reduce(scannerReducer, INITIAL_STATE);
const NOTHING_RUNNING: ScannerEvent = { type: "session_found", session: null };
const ready = [NOTHING_RUNNING, chosen(1), read(1)] as const;

describe("a deleted session", () => {
  const shown: ScannerEvent = { type: "session_found", session: aSession() };
  const gone: ScannerEvent = { type: "session_gone", sessionId: "session-1" };

  test("is no longer shown, and another run can start", () => {
    const state = after(shown, { type: "view_cleared" }, gone);
    expect(state).toMatchObject({ run: { kind: "none", problem: null }, deleted: "session-1", isCleared: false });
    expect(canStart(state.run)).toBe(true);
  });

  test("stays hidden when late data arrives", () => {
    expect(
      sessionOf(after(shown, gone, { type: "session_changed", session: aSession({ eventSeq: 9 }) }).run),
    ).toBeNull();
  });

  test("does not return when the start of another one fails", () => {
    const finished = aSession({ status: "completed", counts: { completed: 3 } });
    const starting: ScannerEvent[] = [{ type: "session_found", session: finished }, { type: "start_requested" }, gone];
    expect(after(...starting, { type: "start_failed", problem: "no" }).run).toEqual({ kind: "none", problem: "no" });
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
      defaultName: "a.csv - 11/21/2026",
    });
  });

  test("ignores the result of an older read", () => {
    expect(after(chosen(1), chosen(2, "b.csv"), read(1)).sheet).toMatchObject({ kind: "reading", fileName: "b.csv" });
    expect(
      after(chosen(1), chosen(2, "b.csv"), read(2), { type: "sheet_failed", reading: 1, problem: "broken" }).sheet,
    ).toMatchObject({ kind: "ready", fileName: "b.csv" });
  });

  test("clears the selection and says why when a file is refused", () => {
    expect(
      after(chosen(1), read(1), { type: "file_refused", problem: "Please select a valid CSV file." }).sheet,
    ).toEqual({
      kind: "none",
      problem: "Please select a valid CSV file.",
    });
  });

  test("waits for the column question; choosing other columns makes it ready again", () => {
    const asked: ScannerEvent = {
      type: "sheet_asked",
      reading: 1,
      question: { kind: "sheets", source: 0, fileName: "a.xlsx", sheets: [] },
    };
    expect(after(chosen(1), asked).sheet).toMatchObject({ kind: "question", question: { kind: "sheets" } });
    expect(after(chosen(1), asked, read(1)).sheet.kind).toBe("ready");
    const closed: ScannerEvent = { type: "question_turned", isOpen: false };
    const elsewhere: ScannerEvent = { type: "session_shown", session: aSession() };
    expect(after(NOTHING_RUNNING, chosen(1), asked, closed, elsewhere).sheet).toMatchObject({ isOpen: false });
    const again: ScannerEvent = {
      type: "sheet_read",
      reading: 1,
      loaded: { version: 2, summaries: SUMMARIES, columns: [] },
    };
    expect(after(chosen(1), read(1), again).sheet).toMatchObject({ kind: "ready", loaded: { version: 2 } });
    expect(after(chosen(1), chosen(2), asked).sheet).toMatchObject({ kind: "reading", reading: 2 });
  });

  test("has its own accepted companies", () => {
    const accept: ScannerEvent = { type: "companies_chosen", acceptCompanies: true };
    expect(after(chosen(1), read(1), accept).options.acceptCompanies).toBe(true);
    expect(after(chosen(1), read(1), accept, chosen(2)).options.acceptCompanies).toBe(false);
  });

  test("forgets the typed session name when another file is chosen", () => {
    expect(after(chosen(1), read(1), { type: "name_typed", sessionName: "Dallas" }, chosen(2)).sessionName).toBe("");
  });
});

describe("a start", () => {
  test("is impossible while searching, starting, or processing, and possible otherwise", () => {
    expect(canStart(INITIAL_STATE.run)).toBe(false);
    expect(canStart(after(...ready).run)).toBe(true);
    expect(canStart(after(...ready, { type: "start_requested" }).run)).toBe(false);
    expect(canStart(after({ type: "session_found", session: aSession() }).run)).toBe(false);
    expect(canStart(after({ type: "session_found", session: aSession({ status: "completed" }) }).run)).toBe(true);
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
    expect(problemOf(failed.run)).toBe("Could not connect to backend server");
    expect(after(...ready, { type: "start_requested" }, { type: "started", session: aSession() }).draft).not.toBe(
      before,
    );
  });

  test.each<ScannerEvent>([
    { type: "name_typed", sessionName: "Dallas" },
    { type: "mode_chosen", mode: "api" },
    { type: "reuse_chosen", reuseKnown: false },
    { type: "companies_chosen", acceptCompanies: true },
    { type: "pricing_chosen", includePricing: true },
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
    expect(sessionOf(state.run)).toEqual(done);
    expect(problemOf(state.run)).toBe("no");
  });

  test("without a sheet shows a message beside the button", () => {
    expect(
      problemOf(after(NOTHING_RUNNING, { type: "start_refused", problem: "Please upload a CSV file first." }).run),
    ).toBe("Please upload a CSV file first.");
  });

  test("is cleared of its error when a sheet is chosen", () => {
    const refused = { type: "start_refused", problem: "Please upload a CSV file first." } as const;
    expect(problemOf(after(NOTHING_RUNNING, refused, chosen(1)).run)).toBeNull();
  });
});

describe("a run", () => {
  const running = [
    ...ready,
    { type: "start_requested" },
    { type: "started", session: aSession({ eventSeq: 5 }) },
  ] as const;

  test("accepts only newer states of its session", () => {
    const state = after(...running);
    expect(
      scannerReducer(state, { type: "session_changed", session: aSession({ eventSeq: 4, processedCards: 9 }) }),
    ).toBe(state);
    expect(scannerReducer(state, { type: "session_changed", session: aSession({ id: "other", eventSeq: 9 }) })).toBe(
      state,
    );
    expect(
      sessionOf(
        scannerReducer(state, { type: "session_changed", session: aSession({ eventSeq: 6, processedCards: 1 }) }).run,
      )?.processedCards,
    ).toBe(1);
  });

  test("is stopping from the request until its end arrives", () => {
    const stopping = after(...running, { type: "stop_requested" });
    expect(stopping.run).toMatchObject({ isStopping: true });
    expect(
      after(...running, { type: "stop_requested" }, { type: "session_changed", session: aSession({ eventSeq: 6 }) })
        .run,
    ).toMatchObject({ isStopping: true });
    const stopped = after(
      ...running,
      { type: "stop_requested" },
      { type: "session_changed", session: aSession({ eventSeq: 7, status: "failed" }) },
    );
    expect(stopped.run).toMatchObject({ isStopping: false });
    expect(isRunning(stopped.run)).toBe(false);
  });

  test("that was stopped or ended can continue, from here or from another tab", () => {
    const stopped = after(...running, {
      type: "session_changed",
      session: aSession({ eventSeq: 7, status: "failed" }),
    });
    const resumed = scannerReducer(stopped, { type: "session_changed", session: aSession({ eventSeq: 8 }) });
    expect(isRunning(resumed.run)).toBe(true);
    expect(canStart(resumed.run)).toBe(false);
  });

  test("can be stopped again if a stop failed", () => {
    expect(
      after(...running, { type: "stop_requested" }, { type: "stop_failed", problem: "no answer" }).run,
    ).toMatchObject({ isStopping: false, problem: "no answer" });
  });

  test("stays shown when the view is cleared while it runs, and disappears when finished", () => {
    const cleared = after(...running, { type: "view_cleared" });
    expect(cleared.isCleared).toBe(true);
    expect(isRunning(cleared.run)).toBe(true);
    expect(scannerReducer(cleared, { type: "view_restored" }).isCleared).toBe(false);
    expect(
      sessionOf(
        after({ type: "session_found", session: aSession({ status: "completed" }) }, { type: "view_cleared" }).run,
      ),
    ).toBeNull();
  });

  test("is shown although the view was cleared before", () => {
    expect(
      after(
        ...running,
        { type: "view_cleared" },
        { type: "session_changed", session: aSession({ eventSeq: 9, status: "completed" }) },
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

test("requests prices only if chosen, and the choice stays for the next sheet", () => {
  expect(INITIAL_STATE.options.includePricing).toBe(false);
  expect(after({ type: "pricing_chosen", includePricing: true }, chosen(2)).options.includePricing).toBe(true);
});

test("keeps its offer rule as the same object until it changes", () => {
  const rule = (percent: number): OfferRule => ({
    metric: "lowest",
    tiers: [{ from: 0, percent }],
    roundTo: 1,
    rounding: "down",
  });
  const first = rule(70);
  const attached = after({ type: "session_found", session: aSession({ offerRule: first }) });
  const changed = (offerRule: OfferRule | null) =>
    sessionOf(scannerReducer(attached, { type: "session_changed", session: aSession({ eventSeq: 2, offerRule }) }).run);
  expect(changed(rule(70))?.offerRule).toBe(first);
  expect(changed(rule(70))?.eventSeq).toBe(2);
  expect(changed(rule(75))?.offerRule).toEqual(rule(75));
  expect(changed(null)?.offerRule).toBeNull();
});

test("with only prices left allows another run", () => {
  const run = (counts: ScanSession["counts"]) =>
    after({ type: "session_found", session: aSession({ counts, prices: { pending: 180, waiting: 0, waits: [] } }) })
      .run;
  expect(canStart(run({ completed: 3 }))).toBe(true);
  expect(isRunning(run({ completed: 3 }))).toBe(true);
  expect(canStart(run({ completed: 2, pending: 1 }))).toBe(false);
});

test("whose cards all wait allows another run", () => {
  const attached = (counts: ScanSession["counts"]) =>
    ({
      kind: "attached",
      session: aSession({ status: "processing", counts }),
      isStopping: false,
      problem: null,
    }) as const;
  expect(canStart(attached({ completed: 3, waiting: 2 }))).toBe(true);
  for (const state of ["pending", "processing", "queued"] as const) {
    expect(canStart(attached({ waiting: 2, [state]: 1 }))).toBe(false);
  }
});
