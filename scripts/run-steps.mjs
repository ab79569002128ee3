import { spawn } from "node:child_process";
import { endWithThisProcess } from "./child-processes.mjs";
import { COMPILED, pinnedNode, ROOT, toolScript } from "./paths.mjs";

/**
 * @typedef {{ passed: number, failed: number, skipped: number, flaky: string[] }} Tally `flaky` names those of the passed
 *   that passed at a second try only
 * @typedef {{
 *   name: string,
 *   tool: string,
 *   args: string[],
 *   env?: Record<string, string>,
 *   count?: (exitCode: number) => Tally,
 * }} Step `tool` is a script inside node_modules; `count` says what a finished step came to, by default one check
 */

/** @type {Tally} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0, flaky: [] };

/** @param {Tally[]} tallies */
export function add(...tallies) {
  return tallies.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
      flaky: [...sum.flaky, ...one.flaky],
    }),
    NOTHING,
  );
}

/** Runs steps one after the other and shows the whole output of each that failed. @param {Step[]} steps */
export async function runSteps(steps) {
  let sum = NOTHING;
  for (const step of steps) sum = add(sum, await runStep(step));
  return sum;
}

/** The last lines of a run. @param {Tally} tally */
export function showTally({ passed, failed, skipped, flaky }) {
  console.log("");
  for (const name of flaky) console.log(`Flaky, passed at the second try: ${name}`);
  const rest = [skipped > 0 ? `, ${skipped} skipped` : "", flaky.length > 0 ? `, ${flaky.length} flaky` : ""];
  console.log(`${passed} passed, ${failed} failed${rest.join("")}`);
}

async function runStep(step) {
  const startedAt = performance.now();
  const { exitCode, output } = await run(step);
  const tally = step.count ? step.count(exitCode) : { ...NOTHING, [exitCode === 0 ? "passed" : "failed"]: 1 };
  const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const failed = tally.failed > 0;
  if (failed || tally.flaky.length > 0) console.log(`\n${output.trim()}\n`);
  console.log(`${failed ? "✗" : "✓"} ${step.name} (${seconds})`);
  return tally;
}

function run({ tool, args, env }) {
  return new Promise((resolve) => {
    const child = endWithThisProcess(
      spawn(pinnedNode(), [toolScript(tool), ...args], {
        cwd: ROOT,
        env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0", ...env },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.once("error", (error) => (output += error.stack));
    child.once("close", (code) => resolve({ exitCode: code ?? 1, output }));
  });
}
