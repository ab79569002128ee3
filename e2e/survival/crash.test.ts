import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { amount, isLongForm } from "../../scripts/test-form.ts";
import { seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import { startSimulator } from "@slabdesk/simulator/simulator.ts";
import { crashRun } from "./testing/crash-run.ts";
import { embeddedInstallation, separateInstallation, type Installation } from "./testing/installation.ts";
import { killServersLeft } from "./testing/server-process.ts";
import { ADMIN_SETTINGS } from "./testing/survival-client.ts";

/*
 * Runs that SIGKILL interrupts at random moments of a row's life and of the server's start. CRASH_KILLS and CRASH_ROWS
 * replace the form's amounts. The test's title contains the seed; CRASH_SEED sets it.
 */

const { CRASH_SEED: seed = randomBytes(4).toString("hex"), CRASH_KILLS, CRASH_ROWS } = process.env;
const kills = Number(CRASH_KILLS ?? amount({ short: 1, long: 50 }));
const rows = Number(CRASH_ROWS ?? amount({ short: 24, long: 500 }));
type Case = { which: string; install: (settings: Record<string, string>) => Promise<Installation> };
const CASES: readonly [Case, Case] = [
  { which: "the server with its own database", install: embeddedInstallation },
  { which: "the server beside its database", install: separateInstallation },
];
/** Both in the long form, a random one in the short form. */
const cases: readonly Case[] = isLongForm ? CASES : [seeded(`${seed} installation`).pick(CASES)];
/** Enough for slow machines: a kill and its recovery take some seconds. */
const TIMEOUT_MS = 600_000 + kills * 30_000;

afterAll(killServersLeft);

const SETTINGS = {
  ...ADMIN_SETTINGS,
  CARD_DELAY_MS: "50",
  PRICING_DELAY_MS: "25",
  REQUEST_TIMEOUT_MS: "3000",
  RETRY_DELAYS_S: "1,2,3",
};

test.concurrent.each(cases)(
  `nothing is lost or done twice in ${rows} rows, kills: ${kills}: $which (seed ${seed})`,
  { timeout: TIMEOUT_MS },
  async ({ install }) => {
    const random = seeded(seed);
    const simulator = await startSimulator({ latencyMs: [5, 200], seed, hasPlainImages: true });
    const installation = await install({ ...SETTINGS, ...simulator.settings });
    try {
      const { session, faults, settledAtLastKill } = await crashRun(installation, simulator, { rows, kills, random });
      expect(faults.join("\n")).toBe("");
      expect(session.status).toBe("completed");
      expect(settledAtLastKill).toBeGreaterThan(rows / 2);
      expect(settledAtLastKill).toBeLessThan(rows);
    } finally {
      await installation.remove();
      await simulator.close();
    }
  },
);
