import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { formatCsv } from "@slabdesk/contract/sheet/csv.ts";
import { ensureChromium } from "../../scripts/chromium.mjs";
import { formatNumber, timed } from "../numbers.ts";
import type { Section } from "../report.ts";
import type { ServerNode } from "../stage/node.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";

const ROWS = 100_000;
const PERSON = { email: "reader@example.com", password: "measured-on-purpose", fullName: "Reader", role: "user" };
const PATIENCE_MS = 180_000;

/** A page without other work, and the longest task of its main thread. */
type Work = { what: string; ms: number; longestTaskMs: number; tasks: number };

/** The main thread's tasks for a sheet of 100,000 rows, from the file to the running session. */
export async function measureFrames(stage: Stage): Promise<Section> {
  return stage.withNodes([{ ROLE: "web" }], async (_database, [node]) => {
    if (!node) throw new Error("No node was started");
    const folder = await mkdtemp(join(tmpdir(), "slabdesk-frames-"));
    const browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: ["--no-sandbox", "--disable-gpu"],
    });
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      page.setDefaultTimeout(PATIENCE_MS);
      await signIn(page, node);
      await page.evaluate(WATCH_TASKS);
      return section([await readSheet(page, folder), await startSession(page)]);
    } finally {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function signIn(page: Page, node: ServerNode): Promise<void> {
  const owner = await node.visit();
  await owner.ask("POST", "/api/admin/users", PERSON);
  await page.goto(node.origin);
  await page.getByPlaceholder("Enter your email").fill(PERSON.email);
  await page.getByPlaceholder("Enter your password").fill(PERSON.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.getByRole("tab", { name: "Scanner" }).waitFor();
}

async function readSheet(page: Page, folder: string): Promise<Work> {
  const { header, rows } = makeSheet(ROWS);
  const text = formatCsv([header, ...rows.map(({ cells = [] }) => cells)]);
  const file = join(folder, "box.csv");
  await writeFile(file, text);
  return watched(page, "from choosing the file to its plan", async () => {
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByText(/^Selected: box\.csv · 100,000 rows/).waitFor();
    await page.locator('[aria-label="Plan"][aria-busy="false"]').waitFor();
  });
}

async function startSession(page: Page): Promise<Work> {
  return watched(page, "from Process Data to the session", async () => {
    await page.getByRole("button", { name: "Process Data" }).click();
    await page.getByRole("region", { name: "Current session" }).waitFor();
  });
}

async function watched(page: Page, what: string, work: () => Promise<void>): Promise<Work> {
  await takeTasks(page);
  const { ms } = await timed(work);
  const tasks = await takeTasks(page);
  return { what, ms, longestTaskMs: Math.max(0, ...tasks), tasks: tasks.length };
}

/** Runs in the page. Browsers report tasks of more than 50 ms. */
const WATCH_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: "longtask" });
`;
const TAKE_TASKS = "globalThis.longTasks.splice(0)";

async function takeTasks(page: Page): Promise<number[]> {
  const tasks: unknown = await page.evaluate(TAKE_TASKS);
  return Array.isArray(tasks) ? tasks.filter((task) => typeof task === "number") : [];
}

function section(works: readonly Work[]): Section {
  return {
    title: "The page with 100,000 rows",
    about:
      "A file of 100,000 rows in a browser: a worker reads it, checks it, and builds the requests. The table counts tasks of more than 50 ms on the main thread, which block rendering.",
    head: ["action", "time", "tasks over 50 ms", "longest"],
    rows: works.map(({ what, ms, longestTaskMs, tasks }) => [
      what,
      `${formatNumber(ms / 1000)} s`,
      String(tasks),
      tasks === 0 ? "none" : `${formatNumber(longestTaskMs)} ms`,
    ]),
    notes: [],
  };
}
