import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { isLongForm } from "../../scripts/test-form.ts";
import { copyDataDir } from "@slabdesk/embedded-database/testing/copy-data-dir.ts";
import { seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import { startSimulator } from "@slabdesk/simulator/simulator.ts";
import { findFaults } from "./testing/crash-faults.ts";
import { embeddedInstallation, type EmbeddedInstallation } from "./testing/installation.ts";
import { survivalFolder } from "./testing/postgres-process.ts";
import { killServersLeft } from "./testing/server-process.ts";
import { ADMIN_SETTINGS, signIn } from "./testing/survival-client.ts";
import { survivalSheet } from "./testing/survival-sheet.ts";

/*
 * The restore drill of docs/backup.md for the embedded database: during a run its data folder is copied and deleted, and
 * a new server starts with the copy.
 */

const ROWS = 60;
const WITHIN_MS = 120_000;
const SETTINGS = {
  ...ADMIN_SETTINGS,
  CARD_DELAY_MS: "50",
  PRICING_DELAY_MS: "25",
  REQUEST_TIMEOUT_MS: "3000",
  RETRY_DELAYS_S: "1,2,3",
};

afterAll(killServersLeft);

describe.runIf(isLongForm)("a copy of the data folder (long form only: the crash tests cover most of its path)", () => {
  test.each([
    ["was stopped", (installation: EmbeddedInstallation) => installation.stop()],
    ["was killed with its database", (installation: EmbeddedInstallation) => installation.kill("both")],
  ])("continues the run of a server that %s", { timeout: 600_000 }, async (how, end) => {
    const simulator = await startSimulator({ latencyMs: [5, 200], seed: how, hasPlainImages: true });
    const settings = { ...SETTINGS, ...simulator.settings };
    const folder = await survivalFolder();
    const copy = join(folder, "copy");
    let installation = await embeddedInstallation(settings);
    try {
      const client = await signIn(installation.origin());
      const { sheet, expected } = survivalSheet(ROWS, seeded(how));
      const { id } = await client.upload(installation.origin(), { ...sheet, includePricing: true }, "drill");
      const session = () => client.session(installation.origin(), id);
      await vi.waitUntil(async () => (await session()).processedCards >= ROWS / 2, { timeout: WITHIN_MS });
      expect((await session()).status).toBe("processing");
      const sighting = { at: Date.now(), rows: await client.rows(installation.origin(), id) };

      const from = Date.now();
      await end(installation);
      await copyDataDir(installation.dataDir, copy);
      await installation.remove();
      installation = await embeddedInstallation(settings, (dataDir) => copyDataDir(copy, dataDir));
      const outage = { from, to: Date.now(), victims: [] };

      expect((await signIn(installation.origin())).userId).toBe(client.userId);
      await vi.waitUntil(async () => (await session()).status !== "processing", { timeout: WITHIN_MS, interval: 200 });
      expect((await session()).status).toBe("completed");
      const run = { installation, client, id, expected, sightings: [sighting], outages: [outage] };
      expect(await findFaults({ ...run, calls: simulator.calls })).toEqual([]);

      const [, ...typed] = await client.exportLines(installation.origin(), id, "original");
      expect(typed.map((cells) => cells.slice(0, 4))).toEqual(expected.map(({ cells }) => cells));
      expect(await client.exportLines(installation.origin(), id, "csv")).toHaveLength(ROWS + 1);
    } finally {
      await installation.remove();
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
