import fc from "fast-check";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { amount } from "./test-form.ts";

/**
 * Applies to every test: it fails on unexpected console output, and a test file fails if it leaves open handles or
 * running processes.
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

/** A closed server's handle disappears some turns of the event loop after its `close` callback on a busy machine. */
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
