import { afterEach, expect, test, vi } from "vitest";
import { heavyWork, noteRequest } from "../concurrency/budgets.ts";
import { largePages } from "./concurrent-requests.ts";

afterEach(() => void vi.useRealTimers());

test("a large page waits until its reader has rested, and is not refused", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  noteRequest("colleague of the reader");
  heavyWork.spend("reader of a large page", 17_000);
  let state = "waits";
  const page = largePages.run("reader of a large page", async () => (state = "begins"));
  page.catch(() => (state = "is refused"));
  /** The colleague sends a request every 100 ms. */
  const pass = async (ms: number): Promise<string> => {
    for (let passed = 0; passed < ms; passed += 100) {
      noteRequest("colleague of the reader");
      await vi.advanceTimersByTimeAsync(100);
    }
    return state;
  };
  expect(await pass(69_900)).toBe("waits");
  expect(await pass(600)).toBe("begins");
});
