/*
 * Prints the end of a run: tests that needed a second try, the slowest tests, each failure with the files to read first,
 * and the totals.
 */

const SLOWEST = 10;
/** Longer messages are cut here; the log is complete. */
const MOST_LINES = 40;

/**
 * Prints a result and returns the exit code.
 *
 * @param {import("./run-steps.mjs").Result} result
 * @param {{ title: string, ms: number }} run
 */
export function showResult(result, { title, ms }) {
  const { passed, failed, skipped, flaky, failures, timings } = result;
  showSlowest(timings);
  if (flaky.length > 0) console.log(`\nPassed only at the second try:\n${flaky.map((name) => `  ${name}`).join("\n")}`);
  if (failures.length > 0) console.log(`\n${failures.map(describe).join("\n\n")}`);
  if (passed + failed + skipped === 0) {
    console.log("\nNo test file or journey matches.");
    return 1;
  }
  const minutes = `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  console.log(`\n${title}: ${minutes}`);
  const rest = [skipped > 0 ? `, ${skipped} skipped` : "", flaky.length > 0 ? `, ${flaky.length} flaky` : ""];
  console.log(`${passed} passed, ${failed} failed${rest.join("")}`);
  return failed === 0 ? 0 : 1;
}

function showSlowest(timings) {
  const slowest = [...timings].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  if (slowest.length === 0) return;
  console.log("\nThe slowest tests:");
  for (const { name, ms } of slowest) console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
}

/** @param {import("./run-steps.mjs").Failure} failure @param {number} index */
function describe({ name, message, see }, index) {
  const lines = message.trim().split("\n");
  const cut = lines.length > MOST_LINES ? [`… ${lines.length - MOST_LINES} more lines`] : [];
  const files = see.length > 0 ? ["Look here first:", ...see.map((file) => `  ${file}`)] : [];
  return [`Failure ${index + 1}: ${name}`, ...lines.slice(0, MOST_LINES), ...cut, ...files]
    .map((line, at) => (at === 0 ? line : `  ${line}`))
    .join("\n");
}
