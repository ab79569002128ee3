import { pause } from "../../concurrency/repeat.ts";
import {
  isDone,
  LONGEST_LOCK_WAIT_MS,
  transactUnlessBusy,
  type DatabaseTransaction,
} from "../../database/connection.ts";
import { lockSession, placeOfNext, SOON, splitEvent } from "../sessions/session-changes.service.ts";
import { endClosedCards, enqueuePending, type RunContext } from "./row-transactions.service.ts";
import * as waits from "./waits.repo.ts";

/*
 * If every endpoint is paused, the row becomes `waiting` and gives up its job so that other rows can run. Every second,
 * the workers check for due rows: they become `pending`, or wait longer if the endpoint is still paused. After a pause,
 * one card probes the endpoint before the others follow. During a manual pause, `waiting_until` is null: the rows wait
 * until someone resumes the endpoint. If every endpoint is closed for the session's run, its rows end.
 */

/** A check ends after this time. The next one includes rows that became due meanwhile. */
const LONGEST_CHECK_MS = 2_000;
/** One of so many checks looks for endpoints that opened early: a raised limit, returned calls, or a good answer. */
const LOOK_AHEAD_EVERY = 10;

/** Wakes due rows until the lanes close. Resolves when the last check ends. */
export async function wakeWaiting(context: RunContext): Promise<void> {
  const { closing } = context.upstreams.lanes;
  const orReport = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((cause: unknown) => {
      context.report(new Error("Failed to check waiting rows; the next check tries again", { cause }));
    });
  for (let checks = 0; !closing.aborted; checks += 1) {
    if (checks % LOOK_AHEAD_EVERY === 0) await orReport(endNeedlessWaits(context));
    await orReport(wakeDue(context, orReport));
    await pause(context.intervals.waitingRowsMs, closing);
  }
}

async function endNeedlessWaits({ db, certs }: RunContext): Promise<void> {
  for (const { company, mode, requestedAt, isPausedManually, isTimed } of await waits.listWaitKinds(db)) {
    const state = await certs.state(company, mode, requestedAt);
    // Rows deferred while someone paused or resumed the endpoint can have an outdated `waiting_until`.
    const isPausedManuallyNow = state.kind === "paused" && state.until === null;
    if (state.kind === "open" || state.kind === "closed" || (isPausedManuallyNow ? isTimed : isPausedManually))
      await waits.endWaits(db, company, mode);
  }
}

/** Handles each wait separately, so that one failure does not block the others. */
async function wakeDue(context: RunContext, orReport: (work: Promise<unknown>) => Promise<unknown>): Promise<void> {
  const endAt = performance.now() + LONGEST_CHECK_MS;
  for (const wait of await waits.listDueWaits(context.db)) {
    // If another transaction holds the session, a later check wakes it.
    await orReport(isDone(wake(context, wait)));
    if (performance.now() > endAt) return;
  }
}

async function wake(context: RunContext, wait: waits.DueWait): Promise<void> {
  const { db, certs } = context;
  const state = await certs.state(wait.company, wait.mode, wait.requestedAt);
  if (state.kind === "probing") return;
  if (state.kind === "closed") return endClosedCards(context, wait.sessionId, { ...wait, state, jobId: null }, SOON);
  const wakeRows = async (trx: DatabaseTransaction): Promise<void> => {
    if (state.kind === "due" && (await waits.hasCardUnderWay(trx, wait))) return;
    const locked = await lockSession(trx, wait.sessionId);
    if (locked?.status !== "processing") return;
    if (state.kind === "paused") {
      await waits.extendWaits(locked, wait, state);
    } else {
      const place = await placeOfNext(trx, "lookup", locked);
      await waits.wakeRows(locked, wait, state.kind === "due" ? "first card" : "all");
      await enqueuePending(context, locked, place);
    }
    await splitEvent(locked);
  };
  await transactUnlessBusy(db, wakeRows, LONGEST_LOCK_WAIT_MS);
}
