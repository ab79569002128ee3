import { defineConfig } from "vitest/config";

const strict = {
  maxWorkers: 6,
  setupFiles: ["./scripts/strict-tests.ts"],
  restoreMocks: true,
  unstubGlobals: true,
  // A worker keeps what it has loaded for its next file: hardly a module of ours holds state, and none leaves any behind.
  isolate: false,
};
const project = (name: string, include: string[]) => ({ extends: true as const, test: { ...strict, name, include } });

export default defineConfig({
  test: {
    allowOnly: false,
    passWithNoTests: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      project("contract", ["contract/src/**/*.test.ts", "e2e/sheets/**/*.test.ts"]),
      project("simulator", ["simulator/src/**/*.test.ts"]),
      project("house", ["scripts/**/*.test.ts", "docs/**/*.test.ts"]),
      {
        extends: true,
        test: {
          ...strict,
          name: "server",
          // The command line's tests ask a real server, and share its database.
          include: ["server/src/**/*.test.ts", "cli/src/**/*.test.ts"],
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
