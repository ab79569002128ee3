import { expect, test } from "vitest";
import { aEndpoint, aSource } from "./source-factory.test-data.ts";
import {
  credentialsMessage,
  endpointTimes,
  formatDuration,
  forecastMessage,
  openMessage,
  pauseMessage,
  quotaMessage,
  sourceSummary,
  summaryOf,
  waitingMessage,
} from "./source-messages.ts";

// Without a time zone: the reader's own.
const at = (clock: string): string => new Date(`2026-11-21T${clock}:00`).toISOString();
const NOW = Date.parse(at("10:46"));

const BLOCKED = aEndpoint({
  state: "paused",
  since: at("10:42"),
  until: at("10:57"),
  message: "PSA's website blocked the lookup.",
});
const PAGE = { title: "Website" };
const BLOCKED_MESSAGE = "PSA's website blocked the lookup (since 10:42 AM), next try at 10:57 AM (in 11 min)";

test.each([
  ["open", aSource(), "Working", "Working normally"],
  [
    "one endpoint of it off",
    aSource({ endpoints: [aEndpoint(), aEndpoint({ ...PAGE, state: "off", message: "Switched off" })] }),
    "Working",
    "Working normally, except Website",
  ],
  ["blocked", aSource({ state: "paused", endpoints: [BLOCKED] }), "Paused", BLOCKED_MESSAGE],
  [
    "two endpoints of one pause",
    aSource({ state: "paused", endpoints: [BLOCKED, { ...BLOCKED, ...PAGE }] }),
    "Paused",
    BLOCKED_MESSAGE,
  ],
  [
    "one of two endpoints blocked",
    aSource({ endpoints: [aEndpoint(), { ...BLOCKED, ...PAGE }] }),
    "Partly working",
    BLOCKED_MESSAGE,
  ],
  [
    "a probe under way",
    aSource({ state: "probing", endpoints: [{ ...BLOCKED, state: "probing", until: null }] }),
    "Checking",
    "PSA's website blocked the lookup (since 10:42 AM), the next lookup checks again",
  ],
  [
    "paused today",
    aSource({ state: "manually_paused", manualPause: { by: "Ana", at: at("10:42") } }),
    "Paused",
    "Paused by Ana at 10:42 AM",
  ],
  [
    "paused on another day",
    aSource({
      state: "manually_paused",
      manualPause: { by: "Ana", at: new Date("2026-11-20T10:42:00").toISOString() },
    }),
    "Paused",
    "Paused by Ana on Nov 20, 2026, 10:42 AM",
  ],
  [
    "off",
    aSource({ state: "off", endpoints: [aEndpoint({ state: "off", message: "PSA's API is not set up" })] }),
    "Off",
    "PSA's API is not set up",
  ],
])("%s", (_, source, label, sentence) => {
  expect(sourceSummary(source, NOW)).toMatchObject({ label, sentence });
});

test.each([
  [aEndpoint(), ""],
  [BLOCKED, "Since 10:42 AM, next try at 10:57 AM (in 11 min)"],
  [{ ...BLOCKED, until: at("10:45") }, "Since 10:42 AM, next try now"],
  [{ ...BLOCKED, until: null }, "Since 10:42 AM, until an administrator resumes it"],
  [aEndpoint({ state: "manually_paused", message: "Paused by Ana" }), ""],
  [aEndpoint({ state: "off", message: "Switched off" }), "Switched off"],
])("the times of an endpoint: %#", (endpoint, message) => {
  expect(endpointTimes(endpoint, NOW)).toBe(message);
});

test.each([
  [
    { limit: 2500, isConfirmed: true, used: 1204, remaining: 1296, resetsAt: at("14:05") },
    "1,296 of 2,500 calls left, resets at 2:05 PM (in 3 h 19 min)",
  ],
  [
    { limit: 8, isConfirmed: false, used: 0, remaining: 8, resetsAt: null },
    "8 of 8 calls left (not confirmed by PSA yet). The 24-hour window starts with the first call",
  ],
  [
    { limit: 8, isConfirmed: true, used: 8, remaining: 0, resetsAt: at("10:45") },
    "0 of 8 calls left. The next call starts a new 24-hour window",
  ],
])("a quota of %j", (quota, message) => {
  expect(quotaMessage({ title: "PSA", quota }, NOW)).toBe(message);
});

const SHORT = { callsADay: 140, limit: 100, lastsUntil: at("14:00"), message: "100 calls a day won't last" };
const QUOTA = { limit: 100, isConfirmed: true, used: 60, remaining: 40, resetsAt: at("20:00") };

test("the forecast says how long the calls will last, or the server's message", () => {
  expect(forecastMessage({ forecast: SHORT, quota: QUOTA }, NOW)).toBe(
    "At this week's rate, 100 calls a day last until 2:00 PM",
  );
  const enough = { ...SHORT, lastsUntil: null, message: "100 calls a day is enough" };
  expect(forecastMessage({ forecast: enough, quota: QUOTA }, NOW)).toBe("100 calls a day is enough");
  const gone = { ...SHORT, lastsUntil: at("10:46"), message: "The quota of 100 calls is used up" };
  expect(forecastMessage({ forecast: gone, quota: { ...QUOTA, remaining: 0 } }, NOW)).toBe(
    "The quota of 100 calls is used up",
  );
  expect(forecastMessage({ forecast: null, quota: null }, NOW)).toBeNull();
});

test("the waiting rows are named before a source is paused or resumed", () => {
  const manualPause = { state: "manually_paused", manualPause: { by: "Ana", at: at("10:42") } } as const;
  expect(waitingMessage(aSource())).toBeNull();
  expect(waitingMessage(aSource({ waitingRows: 1 }))).toBe("1 card waits");
  expect(waitingMessage(aSource({ name: "cardladder", waitingRows: 1200 }))).toBe("1,200 prices wait");
  expect(pauseMessage(aSource())).toBe("New PSA cards will wait until someone resumes PSA. Everything else continues.");
  expect(pauseMessage(aSource({ waitingRows: 3 }))).toContain("3 cards wait now.");
  expect(openMessage(aSource({ ...manualPause, waitingRows: 12 }))).toBe(
    "12 cards wait for PSA and continue immediately.",
  );
  expect(openMessage(aSource({ ...manualPause, waitingRows: 1 }))).toBe(
    "1 card waits for PSA and continues immediately.",
  );
  expect(openMessage(aSource(manualPause))).toBe("Nothing waits for PSA. The next card uses it again.");
  expect(openMessage(aSource({ state: "paused", endpoints: [BLOCKED] }))).toContain(
    "PSA may refuse again if this is too early.",
  );
});

test("the summary line", () => {
  const off = aSource({ title: "CardsIQ", state: "off" });
  const wrong = aSource({ title: "CGC", state: "manually_paused", manualPause: { by: "Ana", at: at("10:42") } });
  const blocked = aSource({ title: "TAG", state: "paused", endpoints: [BLOCKED] });
  expect(summaryOf([aSource(), off], NOW)).toEqual({ tone: "good", message: "The one active source works" });
  expect(summaryOf([aSource(), aSource()], NOW).message).toBe("All 2 active sources work");
  expect(summaryOf([aSource(), wrong, off], NOW)).toEqual({ tone: "warn", message: "CGC needs attention" });
  expect(summaryOf([wrong, blocked], NOW).message).toBe("CGC and TAG need attention");
  expect(summaryOf([off], NOW)).toEqual({ tone: "neutral", message: "All sources are off" });
});

test.each([
  [null, "–"],
  [80.4, "80 ms"],
  [412, "0.4 s"],
  [12_300, "12.3 s"],
])("%j milliseconds read %j", (ms, message) => {
  expect(formatDuration(ms)).toBe(message);
});

test("the origin of credentials: entered, from the settings, both, or none", () => {
  const field = (isSet: boolean, lockedReason: string | null) => ({
    name: "X",
    label: "X",
    isSecret: true,
    isSet,
    lockedReason,
  });
  const entered = { by: "Ana Ruiz", at: at("10:42") };
  const message = (fields: ReturnType<typeof field>[], by: typeof entered | null): string =>
    credentialsMessage(aSource({ credentials: { fields, entered: by, problem: null } }));
  expect(message([field(false, null)], null)).toBe("None");
  expect(message([field(true, "set")], entered)).toBe("From the server's settings");
  expect(message([field(true, null)], entered)).toBe("Entered by Ana Ruiz, Nov 21, 2026");
  expect(message([field(true, null), field(true, "set")], entered)).toBe(
    "Entered by Ana Ruiz, Nov 21, 2026; the rest is from the server's settings",
  );
});
