import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { COMPILED, pinnedNode, ROOT, SERVER_OPTIONS } from "./paths.mjs";

/** Ctrl-C reaches the launcher twice within milliseconds, from the terminal and from npm. That is one request to stop. */
const SAME_WISH_MS = 1000;

/**
 * Runs the server with the Node of `pinnedNode` and returns its exit code. The server has its own process group, so that
 * each signal reaches it once, through this process.
 *
 * @param {string[]} nodeOptions
 */
export function superviseServer(nodeOptions) {
  const server = spawn(
    pinnedNode(),
    [...SERVER_OPTIONS, ...nodeOptions, join(ROOT, "server", "src", "main.ts"), ...process.argv.slice(2)],
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
