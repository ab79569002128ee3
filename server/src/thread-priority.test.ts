import { readdir, readFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { lowerPoolPriority } from "./thread-priority.ts";

test.runIf(process.platform === "linux")("the pool's threads have a lower priority than requests", async () => {
  await lowerPoolPriority();
  const threads = await Promise.all(
    (await readdir("/proc/self/task")).map(async (thread) => {
      const text = await readFile(`/proc/self/task/${thread}/stat`, "utf8");
      // The name before the other fields may have blanks.
      const priority = text.slice(text.lastIndexOf(")") + 2).split(" ")[16];
      return {
        name: text.slice(text.indexOf("(") + 1, text.lastIndexOf(")")),
        isMain: thread === `${process.pid}`,
        priority,
      };
    }),
  );
  const pool = threads.filter(({ name }) => name === "libuv-worker");
  expect(pool.length).toBeGreaterThan(0);
  expect(new Set(pool.map(({ priority }) => priority))).toEqual(new Set([`${getPriority() + 10}`]));
  expect(threads.find(({ isMain }) => isMain)?.priority).toBe(`${getPriority()}`);
});
