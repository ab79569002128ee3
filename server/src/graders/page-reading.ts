import pLimit, { type LimitFunction } from "p-limit";
import { createProcesses } from "../concurrency/processes.ts";
import type { Reading } from "./grader.ts";
import type { Readers } from "./page-process.ts";
import { unavailable } from "./upstream-answers.ts";

/** A certificate page takes a fraction of a second, and of this memory. */
const LONGEST_READING_MS = 30_000;
const MEMORY_MB = 256;
/** Cheerio's files for browsers lack its HTTP client, so that a process starts faster. */
const WITHOUT_HTTP_CLIENT = "--conditions=browser";

/**
 * Reads pages in child processes, because parsing some HTML takes quadratic time: a hostile page of 1 MB would stop the
 * server for minutes.
 */
export function createPageReading(deadlineMs: number) {
  // One page of each company at a time, so that one company's hostile page doesn't delay another's.
  const inTurn: Record<keyof Readers, LimitFunction> = { PSA: pLimit(1), CGC: pLimit(1) };
  const processes = createProcesses(new URL("./page-process.ts", import.meta.url), {
    execArgv: [`--max-old-space-size=${MEMORY_MB}`, WITHOUT_HTTP_CLIENT],
    isUrgent: true,
  });
  process.once("exit", () => processes.close());

  /** Reads a page with the reader of its company. The outcome is `unavailable` if it takes too much time or memory. */
  return async <Company extends keyof Readers>(
    company: Company,
    ...values: Parameters<Readers[Company]>
  ): Promise<Reading<ReturnType<Readers[Company]>>> => {
    try {
      const read = () =>
        processes.run(AbortSignal.timeout(deadlineMs), (ask) => ask<ReturnType<Readers[Company]>>({ company, values }));
      return { ok: true, value: await inTurn[company](read) };
    } catch (cause) {
      return { ok: false, outcome: unavailable(`${company}'s page could not be read`, cause) };
    }
  };
}

export const readPage = createPageReading(LONGEST_READING_MS);
