import fc from "fast-check";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { amount } from "./test-form.ts";

/**
 * Runs around every test of every workspace: nothing may be written to the console that the test did not expect, and
 * nothing a test file started may still listen or run when it is through.
 */
fc.configureGlobal({ numRuns: amount({ short: 25, long: 100 }) });

const METHODS = ["debug", "error", "info", "log", "warn"] as const;

const LEAKS = new Set(["TCPServerWrap", "PipeServerWrap", "ProcessWrap"]);

let written: string[] = [];

beforeEach(() => {
  written = [];
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
      written.push(`console.${method}: ${values.map(String).join(" ")}`);
    });
  }
});

afterEach(() => {
  expect(written, "A test wrote to the console without expecting it").toEqual([]);
});

const openBefore = countOpen();

/** A closed server's handle goes a turn or more of the event loop after its `close` has answered: a busy machine shows it. */
afterAll(async () => {
  vi.useRealTimers();
  const expectNothingOpen = () => expect(leftOpen(), "A test file left servers or processes behind").toEqual([]);
  await vi.waitFor(expectNothingOpen, { timeout: 5000 });
});

function leftOpen() {
  return [...countOpen()].filter(([name, count]) => count > (openBefore.get(name) ?? 0));
}

function countOpen(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo().filter((resource) => LEAKS.has(resource))) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
