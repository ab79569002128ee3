import { defineConfig } from "@playwright/test";
import { ensureChromium } from "../scripts/chromium.mjs";

export default defineConfig({
  testDir: "journeys",
  outputDir: ".results",
  forbidOnly: true,
  // Of a busy machine. What passes at the second try only is named at the end of the run.
  retries: 1,
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    headless: true,
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    timezoneId: "UTC",
    colorScheme: "light",
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 15_000,
    // A trace of every journey takes a fifth of their time.
    trace: "on-first-retry",
    launchOptions: {
      executablePath: ensureChromium(),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
  },
});
