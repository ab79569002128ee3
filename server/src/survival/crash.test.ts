import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { amount } from "../../../scripts/test-form.ts";
import { seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import { startSimulator } from "@slabdesk/simulator/simulator.ts";
import { crashRun } from "./testing/crash-run.ts";
import { embeddedInstallation, separateInstallation } from "./testing/installation.ts";
import { killServersLeft } from "./testing/server-process.ts";
import { ADMIN_SETTINGS } from "./testing/survival-client.ts";

/*
 * Runs that are killed with -9 at random moments of a row's life, and of the server's start. CRASH_KILLS and
 * CRASH_ROWS set other amounts than those of the form. The seed is part of the test's name; CRASH_SEED sets it.
 */

const { CRASH_SEED: seed = randomBytes(4).toString("hex"), CRASH_KILLS, CRASH_ROWS } = process.env;
const kills = Number(CRASH_KILLS ?? amount({ short: 1, long: 50 }));
const rows = Number(CRASH_ROWS ?? amount({ short: 24, long: 500 }));
/** For slow machines too: a kill with its recovery takes some seconds. */
const TIMEOUT_MS = 600_000 + kills * 30_000;

afterAll(killServersLeft);

const SETTINGS = {
  ...ADMIN_SETTINGS,
  CARD_DELAY_MS: "50",
  PRICING_DELAY_MS: "25",
  REQUEST_TIMEOUT_MS: "3000",
  RETRY_DELAYS_S: "1,2,3",
};

test.concurrent.each([
  ["the server with its own database", embeddedInstallation],
  ["the server beside its database", separateInstallation],
])(
  `nothing is lost or done twice in ${rows} rows, kills: ${kills}: %s (seed ${seed})`,
  { timeout: TIMEOUT_MS },
  async (_which, install) => {
    const random = seeded(seed);
    const simulator = await startSimulator({ latencyMs: [5, 200], seed, hasPlainPictures: true });
    const installation = await install({ ...SETTINGS, ...simulator.settings });
    try {
      const { session, faults, settledAtLastKill } = await crashRun(installation, simulator, { rows, kills, random });
      expect(faults).toEqual([]);
      expect(session.status).toBe("completed");
      expect(settledAtLastKill).toBeGreaterThan(rows / 2);
      expect(settledAtLastKill).toBeLessThan(rows);
    } finally {
      await installation.remove();
      await simulator.close();
    }
  },
);
