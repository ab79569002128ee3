import { describe, expect, test } from "vitest";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { createProgress, failureMessage, priceWaitMessage, progressMessage } from "./progress.ts";
import { createScreen } from "./screen.ts";

const session = (change: Partial<ScanSession> = {}): ScanSession => ({
  id: "1",
  sessionName: "certs.csv - Nov 21, 2026",
  csvFilename: "certs.csv",
  totalCards: 40,
  processedCards: 0,
  processingMode: "api-with-fallback",
  includePricing: false,
  status: "processing",
  isPartial: false,
  startedAt: "2026-11-21T08:00:00.000Z",
  completedAt: null,
  uploadDate: "2026-11-21T08:00:00.000Z",
  counts: {},
  causes: {},
  waits: [],
  prices: { pending: 0, waiting: 0, waits: [] },
  offerRule: null,
  eventSeq: 1,
  ...change,
});

const WAIT = {
  company: "PSA" as const,
  outcome: "quota_exhausted" as const,
  canScrape: true,
  until: new Date(2020, 5, 1, 14, 5).toISOString(),
  count: 12,
  message: "The limit of 2500 calls is used up",
};

function screenOf(isTerminal: boolean) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const stream = { columns: 40, write: (text: string) => written.push(text) };
  return { written, clock, screen: createScreen(stream, isTerminal, () => clock.ms) };
}

describe("progress", () => {
  test.each([
    ["at its beginning", {}, null, "░░░░░░░░░░░░░░░░░░░░ 0/40"],
    ["half way", { processedCards: 20 }, 180_000, "██████████░░░░░░░░░░ 20/40 · about 3 min left"],
    ["near its end", { processedCards: 39 }, 5_000, "███████████████████░ 39/40 · less than a minute left"],
    ["for hours", { processedCards: 2 }, 7_500_000, "█░░░░░░░░░░░░░░░░░░░ 2/40 · about 2 h 5 min left"],
    ["with failures", { counts: { error: 2, failed: 1 } }, null, "░░░░░░░░░░░░░░░░░░░░ 0/40 · 3 failed"],
    [
      "with prices still to come",
      { processedCards: 40, prices: { pending: 12, waiting: 0, waits: [] } },
      null,
      "████████████████████ 40/40 · 12 prices left",
    ],
    ["of no rows", { totalCards: 0 }, null, "████████████████████ 0/0"],
    [
      "waiting, which has no pace",
      { waits: [WAIT, { ...WAIT, until: "2031-01-01T00:00:00.000Z", count: 1 }] },
      60_000,
      "░░░░░░░░░░░░░░░░░░░░ 0/40 · 13 waiting until Jun 1, 2020, 2:05 PM",
    ],
    [
      "waiting until an administrator resumes the source",
      { waits: [{ ...WAIT, until: null }] },
      60_000,
      "░░░░░░░░░░░░░░░░░░░░ 0/40 · 12 waiting",
    ],
  ])("%s", (_case, change, leftMs, message) => {
    expect(progressMessage(session(change), leftMs)).toBe(message);
  });

  test("measures speed from when it starts watching, so cached cards take no time", () => {
    const { written, clock, screen } = screenOf(false);
    const showProgress = createProgress(screen, () => clock.ms);
    showProgress(session({ processedCards: 30 }));
    clock.ms = 120_000;
    showProgress(session({ processedCards: 32 }));
    expect(written.at(-1)).toBe("████████████████░░░░ 32/40 · about 8 min left\n");
  });

  test("reports each wait once, with its cause and end", () => {
    const { written, clock, screen } = screenOf(false);
    const showProgress = createProgress(screen, () => clock.ms);
    showProgress(session({ waits: [WAIT] }));
    showProgress(session({ waits: [{ ...WAIT, count: 13 }] }));
    expect(written.filter((line) => line.startsWith("PSA"))).toEqual([
      "PSA: 12 rows wait until Jun 1, 2020, 2:05 PM. The limit of 2500 calls is used up\n",
    ]);
  });
});

test("groups failures by cause", () => {
  const failed = session({ counts: { completed: 36, error: 3, failed: 1 }, causes: { timeout: 1, not_found: 3 } });
  expect(failureMessage(failed)).toBe("4 of 40 rows failed: not found 3, timed out 1");
});

describe("terminal output", () => {
  test("updates one line, cut to the terminal's width, with messages above it", () => {
    const { written, screen } = screenOf(true);
    screen.status("x".repeat(100));
    screen.status("short");
    screen.say("Words that stay.");
    expect(written.join("")).toBe(`\r\u001b[K${"x".repeat(39)}\r\u001b[Kshort\r\u001b[KWords that stay.\n`);
  });

  test("contains no control characters from data, such as cursor moves and text direction", () => {
    const { written, screen } = screenOf(true);
    screen.say("\u001b[31mred\u0000\u009b1A\u202e\u2028end");
    screen.status("a\rb\nc");
    expect(written).toEqual([" [31mred 1A end\n", "\r\u001b[Ka b c"]);
  });
});

test("becomes an occasional line in a log, without repeats", () => {
  const { written, clock, screen } = screenOf(false);
  for (const [ms, text] of [
    [0, "1/3"],
    [10_000, "2/3"],
    [31_000, "3/3"],
    [70_000, "3/3"],
  ] as const) {
    clock.ms = ms;
    screen.status(text);
  }
  expect(written).toEqual(["1/3\n", "3/3\n"]);
});

test("ends with which prices the file lacks, and until when", () => {
  expect(priceWaitMessage(session())).toBeNull();
  const until = new Date(2020, 5, 1, 14, 5).toISOString();
  const waits = [{ source: "cardladder" as const, until, message: "CardLadder's daily limit is used up" }];
  expect(priceWaitMessage(session({ prices: { pending: 0, waiting: 12, waits } }))).toBe(
    "12 prices wait: CardLadder until Jun 1, 2020, 2:05 PM (CardLadder's daily limit is used up). " +
      "Run the command again with --session to get a file with them.",
  );
  expect(priceWaitMessage(session({ prices: { pending: 0, waiting: 1, waits: [] } }))).toContain(
    "1 price waits: they will be fetched soon",
  );
});
