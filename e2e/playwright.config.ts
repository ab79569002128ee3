import { defineConfig } from "@playwright/test";
import { ensureChromium } from "../scripts/chromium.mjs";

export default defineConfig({
  testDir: "journeys",
  outputDir: ".results",
  forbidOnly: true,
  retries: 0,
  workers: 2,
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
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: ensureChromium(),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
  },
});
