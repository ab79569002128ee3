import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { chromium, type Locator, type Page } from "@playwright/test";
import { formatCsv } from "@slabdesk/contract/sheet/csv.ts";
import { ensureChromium } from "../../scripts/chromium.mjs";
import { formatNumber, median, percentile, timed } from "../numbers.ts";
import type { Section } from "../report.ts";
import type { ServerNode } from "../stage/node.ts";
import type { BenchDatabase } from "../stage/postgres.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import { Visitor } from "../stage/visitor.ts";
import { cacheCerts } from "./cached-certs.ts";

const ROWS = 100_000;
const PERSON = { email: "reader@example.com", password: "measured-on-purpose", fullName: "Reader", role: "user" };
const PATIENCE_MS = 180_000;

/** How much slower than this machine the browser's processor is while frames are counted. */
const SLOWER = 4;
const SCROLL_MS = 5_000;
const WHEEL_PIXELS = 240;
const BETWEEN_TURNS_MS = 16;
/** As many cells as the table shows in a row, and enough rows to scroll all the time. */
const PLAIN_CELLS = 9;
const PLAIN_ROWS = 1_500;
/** What is typed into Find, key by key: some rows match each of them. */
const FOUND = "chrome 71";

/** From the focus to the first letter. */
const UNTIL_FIRST_KEY_MS = 500;

/** A page without other work, and the longest task of its main thread. */
type Work = { what: string; ms: number; longestTaskMs: number; tasks: number };
type Table = { frames: number[]; plainFrames: number[]; answers: number[] };

/** The main thread's tasks for a sheet of 100,000 rows from the file to the session, then its table's frames and Find. */
export async function measureFrames(stage: Stage): Promise<Section> {
  return stage.withNodes([{ ROLE: "web" }], async (database, [node]) => {
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
      const works = [await readSheet(page, folder), await startSession(page)];
      await openFound(page, database, node);
      const frames = await scroll(page, page.getByRole("grid"));
      const answers = await find(page);
      return section(works, { frames, plainFrames: await scrollPlainPage(page), answers });
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

/** Opens a session with the same sheet whose cards are all found. */
async function openFound(page: Page, database: BenchDatabase, node: ServerNode): Promise<void> {
  const [stored] = await database.query<{ id: string }>("SELECT id FROM scan_sessions");
  await cacheCerts(database, stored?.id ?? "");
  const reader = await Visitor.signIn(node.origin, PERSON);
  const { id, status } = await reader.upload(makeSheet(ROWS));
  if (status !== "completed") throw new Error("Cached certs did not fill the sheet");
  await page.goto(`${node.origin}/?session=${id}`);
  await page.locator(`[role="grid"][aria-rowcount="${ROWS + 1}"]`).waitFor();
}

/** Scrolls an element by wheel. Returns the milliseconds between frames. */
async function scroll(page: Page, element: Locator): Promise<number[]> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await element.hover();
  await page.evaluate(WATCH_FRAMES);
  const until = performance.now() + SCROLL_MS;
  while (performance.now() < until) {
    await page.mouse.wheel(0, WHEEL_PIXELS);
    await pause(BETWEEN_TURNS_MS);
  }
  const frames = numbersIn(await page.evaluate("takeFrames()"));
  await browser.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  return frames;
}

/** Scrolls complete rows without scripts, as tall as the table's and with as many cells: what the browser itself can do. */
async function scrollPlainPage(page: Page): Promise<number[]> {
  const cell = (text: string): string => `<td style="flex: none; width: 140px; overflow: clip">${text}</td>`;
  const row = (line: number): string =>
    `<tr style="position: absolute; inset: ${line * 56}px 0 auto; display: flex; height: 56px; contain: layout style">
      ${Array.from({ length: PLAIN_CELLS }, (_, index) => cell(`Text ${index} of line ${line}`)).join("")}</tr>`;
  await page.setContent(
    `<table style="position: relative; display: block; overflow: auto; height: 800px; white-space: nowrap">
      <tbody style="display: block; height: ${PLAIN_ROWS * 56}px">${Array.from({ length: PLAIN_ROWS }, (_, line) => row(line)).join("")}</tbody></table>`,
  );
  return scroll(page, page.locator("table"));
}

/** Types into Find. Returns the milliseconds from each key to the frame that shows its rows. */
async function find(page: Page): Promise<number[]> {
  const box = page.getByRole("searchbox", { name: "Find in these results" });
  await box.focus();
  await pause(UNTIL_FIRST_KEY_MS);
  const answers: number[] = [];
  for (const key of FOUND) {
    if (key === " ") {
      // Finds the same rows, so there is no answer to measure.
      await page.keyboard.type(key);
      continue;
    }
    await page.evaluate(WATCH_ANSWER);
    await page.keyboard.type(key);
    answers.push(...numbersIn([await page.evaluate("answered")]));
  }
  return answers;
}

const numbersIn = (values: unknown): number[] =>
  Array.isArray(values) ? values.filter((value) => typeof value === "number") : [];

/** Runs in the page. */
const WATCH_FRAMES = `
  globalThis.frames = [];
  let before = performance.now(), isWatched = true;
  const note = (now) => { frames.push(now - before); before = now; if (isWatched) requestAnimationFrame(note); };
  requestAnimationFrame(note);
  globalThis.takeFrames = () => { isWatched = false; return frames.slice(1); };
`;

/** Runs in the page: from the next key to the frame after the table has another number of rows or another text in them. */
const WATCH_ANSWER = `
  globalThis.answered = new Promise((resolve) => {
    addEventListener("keydown", () => {
      const pressedAt = performance.now();
      const changes = new MutationObserver(() => {
        changes.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressedAt)));
      });
      changes.observe(document.querySelector('[role="grid"]'), { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["aria-rowcount"] });
    }, { once: true, capture: true });
  });
  undefined;
`;

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
  return numbersIn(await page.evaluate(TAKE_TASKS));
}

function section(works: readonly Work[], { frames, plainFrames, answers }: Table): Section {
  const percentInTime = (all: readonly number[]): number => (all.filter((ms) => ms < 17).length / all.length) * 100;
  const inTime = (all: readonly number[]): string => formatNumber(percentInTime(all));
  return {
    title: "The page with 100,000 rows",
    watched: { "% of frames in time": percentInTime(frames), "ms until Find answers": median(answers) },
    about:
      "A file of 100,000 rows in a browser: a worker reads it, checks it, and builds the requests. The table counts tasks of more than 50 ms on the main thread, which block rendering.",
    head: ["action", "time", "tasks over 50 ms", "longest"],
    rows: works.map(({ what, ms, longestTaskMs, tasks }) => [
      what,
      `${formatNumber(ms / 1000)} s`,
      String(tasks),
      tasks === 0 ? "none" : `${formatNumber(longestTaskMs)} ms`,
    ]),
    notes: [
      `Scrolling the table by wheel for ${SCROLL_MS / 1000} s in a browser that is slowed down ${SLOWER} times: ${inTime(frames)} % of ` +
        `${frames.length} frames take less than 17 ms, half take at most ${formatNumber(median(frames))} ms; the 95th percentile is ${formatNumber(percentile(frames, 95))} ms. ` +
        `The goal is 95 %. Of a page with ${PLAIN_ROWS} plain rows of ${PLAIN_CELLS} cells, all complete and without scripts, ${inTime(plainFrames)} % of ${plainFrames.length} do: ` +
        "this browser draws without a graphics processor.",
      `Typing "${FOUND}" into Find: half a second after the focus, the table shows the answer to a key after ${formatNumber(median(answers))} ms (median), at ` +
        `most ${formatNumber(Math.max(...answers))} ms. The goal is 50 ms.`,
    ],
  };
}
