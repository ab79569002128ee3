/** A setup failure that the user can fix; the message says how. */
export class SetupError extends Error {
  name = "SetupError";
}

/**
 * Runs a command's main function. For a `SetupError` it prints only the message, for other errors the stack.
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
