import { chromium, type Page } from "@playwright/test";
import { ensureChromium } from "../../scripts/chromium.mjs";
import { kilobytes } from "../numbers.ts";
import type { Section } from "../report.ts";
import type { ServerNode } from "../stage/node.ts";
import type { Stage } from "../stage/stage.ts";

const PERSON = { email: "visitor@example.com", password: "measured-on-purpose", fullName: "Visitor", role: "user" };

/** 1.6 Mbit/s with a round trip of 150 ms. What is loaded after a screen is usable arrives clearly later. */
const SLOW_NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };

const KINDS: [kind: string, of: RegExp][] = [
  ["page", /^\/$/],
  ["scripts", /\.js$/],
  ["styles", /\.css$/],
  ["typeface (Latin letters)", /\.woff2$/],
];

type Loaded = { path: string; headerBytes: number; bodyBytes: number };
type Stop = { screen: string; ideal: string; loaded: Loaded[] };

/** What a new browser has loaded when the sign-in page is usable, and when the Scanner is. */
export async function measureFirstVisit(stage: Stage): Promise<Section> {
  return stage.withNodes([{ ROLE: "web" }], async (_database, [node]) => {
    if (!node) throw new Error("No node was started");
    const owner = await node.visit();
    await owner.ask("POST", "/api/admin/users", PERSON);
    const browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: ["--no-sandbox", "--disable-gpu"],
    });
    try {
      return section(await visit(await browser.newPage(), node));
    } finally {
      await browser.close();
    }
  });
}

async function visit(page: Page, node: ServerNode): Promise<Stop[]> {
  const loaded = await watchFiles(page, node);
  await page.goto(node.origin, { waitUntil: "commit" });
  await page.evaluate(untilThereIs('document.querySelector("input[name=email]")'));
  await page.evaluate("document.fonts.ready.then(() => true)");
  const signIn = [...loaded];
  await page.getByPlaceholder("Enter your email").fill(PERSON.email);
  await page.getByPlaceholder("Enter your password").fill(PERSON.password);
  const usable = page.evaluate(untilThereIs('document.querySelector("input[type=file]")'));
  await page.getByRole("button", { name: "Sign In" }).click();
  await usable;
  return [
    { screen: "sign-in page", ideal: "140 kB of scripts and styles", loaded: signIn },
    { screen: "Scanner", ideal: "200 kB of scripts, 20 kB of styles", loaded: [...loaded] },
  ];
}

/** Looks at each frame, unlike `waitFor`, which may look half a second late. */
function untilThereIs(element: string): string {
  return `new Promise((resolve) => {
    const look = () => ${element} === null ? requestAnimationFrame(look) : resolve(true);
    look();
  })`;
}

/** The files of the web app whose last byte has arrived, on a slow network. Grows while the page is open. */
async function watchFiles(page: Page, node: ServerNode): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  const started = new Map<string, { path: string; headerBytes: number }>();
  const network = await page.context().newCDPSession(page);
  network.on("Network.responseReceived", ({ requestId, response }) => {
    const { origin, pathname } = new URL(response.url);
    if (origin !== node.origin || pathname.startsWith("/api/")) return;
    started.set(requestId, { path: pathname, headerBytes: response.encodedDataLength });
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const file = started.get(requestId);
    if (file) loaded.push({ ...file, bodyBytes: encodedDataLength - file.headerBytes });
  });
  await network.send("Network.enable");
  await network.send("Network.emulateNetworkConditions", SLOW_NETWORK);
  return loaded;
}

function section(stops: Stop[]): Section {
  const [signIn, scanner] = stops;
  return {
    title: "First visit",
    watched: {
      "kB of scripts and styles until the sign-in page": bodyKilobytes(signIn, /\.(?:js|css)$/),
      "kB of scripts until the Scanner": bodyKilobytes(scanner, /\.js$/),
      "kB of styles until the Scanner": bodyKilobytes(scanner, /\.css$/),
    },
    about:
      "What a new browser has loaded when a screen is usable: bytes on the wire, compressed as the server sends them, on a network of 1.6 Mbit/s. The Scanner's row includes the sign-in page. Later visits load only the page: the files have a hash in their names and are cached for a year.",
    head: ["until it is usable", "files", ...KINDS.map(([kind]) => kind), "headers", "all", "ideal"],
    rows: stops.map(({ screen, ideal, loaded }) => [
      screen,
      String(loaded.length),
      ...KINDS.map(([, of]) => size(loaded.filter(({ path }) => of.test(path)).map(({ bodyBytes }) => bodyBytes))),
      size(loaded.map(({ headerBytes }) => headerBytes)),
      size(loaded.map(({ headerBytes, bodyBytes }) => headerBytes + bodyBytes)),
      ideal,
    ]),
    notes: [],
  };
}

function bodyKilobytes(stop: Stop | undefined, of: RegExp): number {
  const files = stop?.loaded.filter(({ path }) => of.test(path)) ?? [];
  return files.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0) / 1000;
}

function size(bytes: number[]): string {
  return kilobytes(bytes.reduce((sum, each) => sum + each, 0));
}
