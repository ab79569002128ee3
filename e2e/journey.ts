import { join } from "node:path";
import { test as base, type Browser, type BrowserContext, expect, type Page } from "@playwright/test";
import { isLongForm } from "../scripts/test-form.ts";
import { BrowserErrors } from "./product/browser-errors.ts";
import { AdminApi, type Person } from "./product/admin-api.ts";
import { type Product, type ProductKind, type Settings, startProduct, type StartedProduct } from "./product/product.ts";
import type { Upstream } from "./product/upstream.ts";

/** The product settings of a project in playwright.config.ts. */
export type ProductSettings = {
  productKind: ProductKind;
  settings: Settings;
  /** Whether the simulator draws the cards' images, for journeys that look at them. */
  hasDrawnImages: boolean;
};

type WorkerFixtures = ProductSettings & {
  started: StartedProduct;
  product: Product;
  adminApi: AdminApi;
};

type Fixtures = {
  /** The graders, reset before every journey. */
  upstream: Upstream;
  browserErrors: BrowserErrors;
  /** Attaches the product's log to a failed journey. */
  attachLog: void;
  /** A new user. */
  person: Person;
  /** A page where `person` is signed in. */
  signedIn: Page;
  /** Another browser, in which nobody is signed in. */
  otherBrowser: (options?: Parameters<Browser["newContext"]>[0]) => Promise<Page>;
};

export { expect };

export const test = base.extend<Fixtures, WorkerFixtures>({
  productKind: ["simulated", { option: true, scope: "worker" }],
  settings: [{}, { option: true, scope: "worker" }],
  hasDrawnImages: [false, { option: true, scope: "worker" }],
  started: [
    async ({ productKind: kind, settings, hasDrawnImages }, use, { project, workerIndex }) => {
      const logFile = join(project.outputDir, "products", `${project.name}-${workerIndex}.log`);
      const started = await startProduct({ kind, settings, hasDrawnImages, logFile });
      await use(started);
      await started.stop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
  product: [async ({ started }, use) => use(started.product), { scope: "worker" }],
  adminApi: [async ({ product }, use) => use(await AdminApi.enter(product)), { scope: "worker" }],

  baseURL: async ({ product }, use) => use(product.origin),
  upstream: async ({ product, adminApi }, use) => {
    if (product.upstream === null) throw new Error("The demonstration keeps its graders to itself");
    await use(product.upstream);
    product.upstream.calmDown();
    await adminApi.resumeSources();
  },
  attachLog: [
    async ({ product }, use, testInfo) => {
      await use();
      if (testInfo.status === testInfo.expectedStatus) return;
      await testInfo.attach("product-log", { path: product.logFile, contentType: "text/plain" });
    },
    { auto: true },
  ],
  browserErrors: [
    async ({ context }, use) => {
      const browserErrors = new BrowserErrors();
      browserErrors.listenTo(context);
      await use(browserErrors);
      expect(browserErrors.unexpected, "The browser complained").toEqual([]);
    },
    { auto: true },
  ],
  person: async ({ adminApi }, use) => use(await adminApi.addUser()),
  signedIn: async ({ page, product, person }, use) => {
    await enter(page, product, person);
    await use(page);
  },
  otherBrowser: async ({ browser, product, browserErrors, contextOptions, viewport, locale, timezoneId }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({
        ...contextOptions,
        viewport,
        ...(locale === undefined ? {} : { locale }),
        ...(timezoneId === undefined ? {} : { timezoneId }),
        baseURL: product.origin,
        ...options,
      });
      contexts.push(context);
      browserErrors.listenTo(context);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

/** A step of the long form only: on a phone, in another window, or for a special case. */
export async function longStep(title: string, body: () => Promise<void>): Promise<void> {
  if (isLongForm) await test.step(title, body);
}

/** Opens the page as a user who is already signed in. sign-in.spec.ts covers signing in by hand. */
export async function enter(
  page: Page,
  { origin }: Product,
  person: Pick<Person, "email" | "password">,
): Promise<void> {
  const answer = await page.context().request.post(`${origin}/api/auth/sign-in/email`, {
    data: { email: person.email, password: person.password },
    headers: { origin },
  });
  expect(answer.status()).toBe(200);
  await page.goto(origin);
  await expect(page.getByRole("tab", { name: "Scanner" })).toBeVisible();
}
