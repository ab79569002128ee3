import { defineConfig } from "@playwright/test";
import { ensureChromium } from "../scripts/chromium.mjs";

/** What Playwright 1.65 switches off in Chromium. A browser hears the last such list alone, so that ours repeats it. */
const OFF_FOR_PLAYWRIGHT = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "msForceBrowserSignIn",
  "msEdgeUpdateLaunchServicesPreferredVersion",
];

/**
 * Chromium's own windows around the page, which nobody sees: the pop-ups of its address bar are pages that load with
 * every window, and it keeps a process ready for a page that may come. A quarter of a journey's work.
 */
const OFF_UNSEEN = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "PreloadTopChromeWebUI",
  "SpareRendererForSitePerProcess",
];

/** Journeys of a minute and more begin first: begun last, they would have the machine to themselves. */
const LONG = /\/(?:screens|images)\.spec\.ts$/;

export default defineConfig({
  testDir: "journeys",
  outputDir: ".results",
  forbidOnly: true,
  // Of a busy machine. What passes at the second try only is named at the end of the run.
  retries: 1,
  // More than the cores of a small machine: a journey waits as much as it works.
  workers: 4,
  // Of a busy machine too: only what fails takes as long.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  projects: [
    { name: "long", testMatch: LONG },
    { name: "others", testIgnore: LONG },
  ],
  use: {
    browserName: "chromium",
    headless: true,
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    timezoneId: "UTC",
    colorScheme: "light",
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 30_000,
    // A trace of every journey takes a fifth of their time.
    trace: "on-first-retry",
    launchOptions: {
      executablePath: ensureChromium(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        `--disable-features=${[...OFF_FOR_PLAYWRIGHT, ...OFF_UNSEEN].join(",")}`,
      ],
    },
  },
});
