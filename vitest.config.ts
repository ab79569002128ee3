import { defineConfig } from "vitest/config";

const strict = {
  // Loading the modules costs more than the tests of a small project: one worker loads them once.
  maxWorkers: 1,
  setupFiles: ["./scripts/strict-tests.ts"],
  restoreMocks: true,
  unstubGlobals: true,
  // A worker keeps what it has loaded for its next file: hardly a module of ours holds state, and none leaves any behind.
  isolate: false,
  // For what hangs, and nothing else: at least five times what a test takes on a quiet machine with two cores.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // A project with another number of workers has to run at another time.
  sequence: { groupOrder: 0 },
};
/** Node runs our TypeScript by itself, as it does in production. */
const native = { experimental: { viteModuleRunner: false, nodeLoader: false } };
const project = (name: string, include: string[]) => ({
  extends: true as const,
  test: { ...strict, ...native, name, include },
});

export default defineConfig({
  test: {
    allowOnly: false,
    passWithNoTests: false,
    projects: [
      project("contract", ["contract/src/**/*.test.ts", "e2e/sheets/**/*.test.ts"]),
      project("simulator", ["simulator/src/**/*.test.ts"]),
      project("house", ["scripts/**/*.test.ts", "docs/**/*.test.ts"]),
      {
        extends: true,
        test: {
          ...strict,
          ...native,
          name: "server",
          // More than the cores of a small machine: a test that starts processes waits as much as it works.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          // Tests that start a PostgreSQL or a server, most of them on the database of the global setup.
          include: [
            "server/src/**/*.test.ts",
            "embedded-database/src/**/*.test.ts",
            "cli/src/**/*.test.ts",
            "e2e/survival/**/*.test.ts",
          ],
          // Fewer collections: most of what a test makes is garbage at its end.
          execArgv: ["--max-semi-space-size=32", "--disable-warning=ExperimentalWarning"],
          globalSetup: ["./server/src/database/testing/postgres-for-tests.ts"],
        },
      },
      {
        extends: "./web/vite.config.ts",
        root: ".",
        test: { ...strict, name: "web", include: ["web/src/**/*.test.{ts,tsx}"] },
      },
    ],
  },
});
