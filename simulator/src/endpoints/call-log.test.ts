import { expect, test } from "vitest";
import { CallLog } from "./call-log.ts";

test("the log is bounded, its totals are not", () => {
  const log = new CallLog();
  for (let at = 0; at < 50_000; at += 1)
    log.add({ endpoint: "tag-api", method: "GET", path: "/", cert: null, at, fault: null });
  expect(log.total("tag-api")).toBe(50_000);
  expect(log.count()).toBeLessThanOrEqual(22_000);
  expect(log.list().at(-1)?.at).toBe(49_999);
});
