import { defineConfig } from "@playwright/test";
import { ensureChromium } from "../scripts/chromium.mjs";
import { isLongForm } from "../scripts/test-form.ts";
import type { ProductSettings } from "./journey.ts";

/** The features that Playwright 1.65 disables in Chromium. Only the last such list counts, so this one repeats it. */
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
 * Chromium's own UI, which tests don't see: its address bar's pop-ups are pages that load with every window, and it
 * keeps a spare renderer process. These are a quarter of a journey's work.
 */
const OFF_UNSEEN = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "PreloadTopChromeWebUI",
  "SpareRendererForSitePerProcess",
];

/**
 * The journeys of a project share one product. One worker runs each project, so its product starts only once. The longest
 * project starts first so that it doesn't run alone at the end.
 */
const OWN_PRODUCTS: { name: string; files: string[]; use: Partial<ProductSettings> }[] = [
  // The trees of the screens need a product without other data, so screens.spec runs first. survival.spec restarts it.
  { name: "screens", files: ["screens", "survival"], use: { hasDrawnImages: process.env["TAKE_SCREENS"] === "1" } },
  {
    name: "small-quota",
    files: ["admin-sources", "causes", "plan", "waits", "walls"],
    // The journeys use up this quota. The pace makes a plan of minutes. causes.spec needs a cert that fails only once.
    use: { settings: { PSA_DAILY_QUOTA: "8", CARD_DELAY_MS: "100" } },
  },
  // The first journey enters PSA's token, which other products have in their settings. The second waits for the images
  // of all cards to be compared, a few per second, so it needs a product with few cards.
  { name: "credentials", files: ["credentials", "images"], use: { settings: { PSA_API_TOKEN: "" } } },
  // The demo's simulator draws the images of all cards. This work continues after main-job, so no journey follows it.
  { name: "demo", files: ["main-job"], use: { productKind: "demo" } },
];

const specOf = (file: string): string => `**/${file}.spec.ts`;

export default defineConfig<object, ProductSettings>({
  testDir: "journeys",
  outputDir: ".results",
  forbidOnly: true,
  // The report names tests that pass only on the second try. The long form doesn't retry.
  retries: isLongForm ? 0 : 1,
  workers: 2,
  // Only a journey that hangs reaches this limit, even on a busy machine.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  reporter: "list",
  projects: [
    ...OWN_PRODUCTS.map(({ name, files, use }) => ({ name, testMatch: files.map(specOf), workers: 1, use })),
    { name: "shared", testIgnore: OWN_PRODUCTS.flatMap(({ files }) => files.map(specOf)) },
  ],
  use: {
    browserName: "chromium",
    headless: true,
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    timezoneId: "UTC",
    colorScheme: "light",
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 60_000,
    screenshot: "only-on-failure",
    // Tracing adds a fifth to a journey's time, so the short form traces only the second try.
    trace: isLongForm ? "retain-on-failure" : "on-first-retry",
    launchOptions: {
      executablePath: ensureChromium(),
      args: [
        "--no-sandbox",
        // A page lives for seconds, so compiling its code further costs more than it saves.
        "--js-flags=--no-maglev --no-turbofan --max-lazy",
        "--disable-gpu",
        // Fewer processes send fewer messages to each other, which is a twentieth of the browser's work.
        "--in-process-gpu",
        // Only the last such list counts, too: the first two are Playwright's.
        "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies,NetworkServiceInProcess2",
        "--disable-background-networking",
        "--disable-site-isolation-trials",
        "--renderer-process-limit=1",
        `--disable-features=${[...OFF_FOR_PLAYWRIGHT, ...OFF_UNSEEN, "IsolateOrigins", "site-per-process"].join(",")}`,
      ],
    },
  },
});
