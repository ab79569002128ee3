import { EmbeddedDatabaseError } from "../embedded-database-error.ts";
import { startEmbeddedDatabase } from "../embedded-database.ts";
import { testOptions } from "./test-options.ts";

/**
 * An application reduced to its database, for tests to kill. `node hold-database.ts <data folder> <system folder>` prints
 * one line of JSON and keeps the database running until its input ends.
 */
const [dataDir = "", systemDir = ""] = process.argv.slice(2);

function answer(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

try {
  const database = await startEmbeddedDatabase(testOptions(dataDir, systemDir));
  answer({ started: { pid: process.pid, postgresPid: database.pid } });
  process.stdin.once("end", () => void database.stop());
  process.stdin.resume();
} catch (error) {
  if (!(error instanceof EmbeddedDatabaseError)) throw error;
  answer({ failed: { problem: error.problem, message: error.message } });
}
