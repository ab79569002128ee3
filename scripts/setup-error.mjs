/** Setting up failed in a way the person at the keyboard can do something about; the message says what. */
export class SetupError extends Error {
  name = "SetupError";
}

/**
 * Runs a command's main function. A `SetupError` ends it with words only, anything else with its stack.
 *
 * @param {() => Promise<void>} main
 */
export async function runCommand(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof SetupError ? `\n${error.message}\n` : error);
    process.exitCode = 1;
  }
}
