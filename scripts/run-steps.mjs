import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { stripVTControlCharacters } from "node:util";
import { endWithThisProcess } from "./child-processes.mjs";
import { COMPILED, pinnedNode, ROOT, toolScript } from "./paths.mjs";

/**
 * @typedef {{ name: string, message: string, see: string[] }} Failure `see` lists files to read first, with what they are
 * @typedef {{ name: string, ms: number }} Timing
 * @typedef {{
 *   passed: number,
 *   failed: number,
 *   skipped: number,
 *   flaky: string[],
 *   failures: Failure[],
 *   timings: Timing[],
 * }} Result `flaky` names the passed tests that needed a second try
 * @typedef {{ exitCode: number, output: string, log: string | undefined }} Run
 * @typedef {{
 *   name: string,
 *   tool: string,
 *   args: string[],
 *   env?: Record<string, string>,
 *   log?: string,
 *   isShown?: boolean,
 *   niceness?: number,
 *   read?: (run: Run) => Result,
 * }} Step `tool` is a script in node_modules. Its output goes to the file `log`, and to the terminal if `isShown`.
 *   A step with a higher `niceness` gets less processor time while others run.
 *   `read` turns the finished run into a result; by default a step counts as one check
 */

/** @type {Result} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0, flaky: [], failures: [], timings: [] };

/** @param {Result[]} results */
export function addResults(...results) {
  return results.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
      flaky: [...sum.flaky, ...one.flaky],
      failures: [...sum.failures, ...one.failures],
      timings: [...sum.timings, ...one.timings],
    }),
    NOTHING,
  );
}

/** Runs steps one after the other. @param {Step[]} steps */
export async function runSteps(steps) {
  let sum = NOTHING;
  for (const step of steps) sum = addResults(sum, await runStep(step));
  return sum;
}

/** Runs one step and prints how it ended. @param {Step} step */
export async function runStep(step) {
  const startedAt = performance.now();
  const { exitCode, output } = await run(step);
  if (step.log) writeFileSync(step.log, output);
  const result = (step.read ?? readCheck(step.name))({ exitCode, output, log: step.log });
  const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  console.log(`${result.failed > 0 ? "✗" : "✓"} ${step.name} (${seconds})`);
  return result;
}

/** A check prints only its errors, so its output is the message. */
function readCheck(name) {
  return ({ exitCode, output }) =>
    exitCode === 0
      ? { ...NOTHING, passed: 1 }
      : { ...NOTHING, failed: 1, failures: [{ name, message: stripVTControlCharacters(output), see: [] }] };
}

/** @param {Step} step @returns {Promise<{ exitCode: number, output: string }>} */
function run({ tool, args, env, isShown, niceness = 0 }) {
  return new Promise((resolve) => {
    const child = endWithThisProcess(
      spawn(pinnedNode(), [toolScript(tool), ...args], {
        cwd: ROOT,
        env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0", ...env },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    if (child.pid !== undefined) setPriority(child.pid, niceness);
    let output = "";
    const take = (chunk) => {
      output += chunk;
      if (isShown) process.stdout.write(chunk);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("error", (error) => (output += error.stack));
    child.once("close", (code) => resolve({ exitCode: code ?? 1, output }));
  });
}
