import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const strict = {
  // Loading the modules takes longer than the tests of a small project: one worker loads them once.
  maxWorkers: 1,
  setupFiles: ["./scripts/strict-tests.ts"],
  restoreMocks: true,
  unstubGlobals: true,
  // A worker keeps loaded modules for its next file: hardly any module has state, and none leaves any.
  isolate: false,
  // Only for tests that hang: at least five times what a test takes on an idle machine with two cores.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  // A project with another number of workers must run separately.
  sequence: { groupOrder: 0 },
};
/** Tests that start and kill servers. They run first, so that none of them runs alone at the end. */
const SLOWEST = /e2e\/survival|embedded-database\.test|server\/src\/(?:go-live|main)\.test/;
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean => SLOWEST.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** Node runs our TypeScript itself, as in production. */
const native = { experimental: { viteModuleRunner: false, nodeLoader: false } };
const project = (name: string, include: string[]) => ({
  extends: true as const,
  test: { ...strict, ...native, name, include },
});

export default defineConfig({
  test: {
    allowOnly: false,
    sequence: { sequencer: SlowestFirst },
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
          // More than the cores of a small machine, because tests that start processes spend half their time waiting.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          // Tests that start PostgreSQL or a server, most of them with the global setup's database.
          include: [
            "server/src/**/*.test.ts",
            "embedded-database/src/**/*.test.ts",
            "cli/src/**/*.test.ts",
            "e2e/survival/**/*.test.ts",
          ],
          // Most objects of a test live until its end, so fewer garbage collections save time. Threads for them only compete.
          execArgv: [
            "--min-semi-space-size=64",
            "--max-semi-space-size=128",
            "--single-threaded-gc",
            "--disable-warning=ExperimentalWarning",
          ],
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
