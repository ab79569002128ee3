import { constants } from "node:os";

/*
 * An interrupted command stops the programs that it started, waits for them, and then exits. Two installs at once in
 * one folder would destroy each other.
 */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/**
 * Stops `child` if this process is interrupted.
 *
 * @template {import("node:child_process").ChildProcess} T
 * @param {T} child
 */
export function endWithThisProcess(child) {
  if (running.size === 0) for (const signal of SIGNALS) process.on(signal, endAll);
  running.add(child);
  child.once("close", () => {
    running.delete(child);
    if (running.size === 0) for (const signal of SIGNALS) process.off(signal, endAll);
  });
  return child;
}

/** @param {NodeJS.Signals} signal */
function endAll(signal) {
  const ends = [...running].map((child) => new Promise((resolve) => child.once("close", resolve)));
  for (const child of running) child.kill("SIGTERM");
  void Promise.all(ends).then(() => process.exit(128 + constants.signals[signal]));
}
