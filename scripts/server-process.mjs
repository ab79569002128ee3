import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { COMPILED, pinnedNode, ROOT } from "./paths.mjs";

/** Ctrl-C reaches the launcher twice, from the terminal and from npm, within milliseconds: that is one wish to stop. */
const SAME_WISH_MS = 1000;

/** The experimental part of undici that decompresses answers (docs/dependencies.md). */
const QUIET = "--disable-warning=ExperimentalWarning";

/**
 * Runs the server with the Node of `pinnedNode` and answers its exit code. The server has a process group of its own, so that a
 * signal reaches it once, in order, and by this way only.
 *
 * @param {string[]} nodeOptions
 */
export function superviseServer(nodeOptions) {
  const server = spawn(
    pinnedNode(),
    [QUIET, ...nodeOptions, join(ROOT, "server", "src", "main.ts"), ...process.argv.slice(2)],
    {
      stdio: ["ignore", "inherit", "inherit"],
      detached: true,
      env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
    },
  );
  let lastWishAt = -Infinity;
  const pass = (signal) => {
    const now = performance.now();
    if (now - lastWishAt > SAME_WISH_MS) server.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
    lastWishAt = now;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, pass);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", (code, killedBy) => resolve(killedBy ? 128 + constants.signals[killedBy] : code));
  });
}
