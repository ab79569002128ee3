import { setImmediate, setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { inTurns, restAfter, restBefore, takeTurn } from "./event-loop.ts";
import { heavyWork, noteRequest } from "./budgets.ts";

test("long work alternates between people, even if one of them has more", async () => {
  const done: string[] = [];
  const piece = (name: string) => takeTurn(name, () => void done.push(name));
  await Promise.all([piece("ana"), piece("ana"), piece("ana"), piece("ben")]);
  expect(done.indexOf("ben")).toBeLessThan(3);
});

test("one piece runs at a time, and other work runs between pieces", async () => {
  const order: string[] = [];
  const work = inTurns("ana", [1, 2, 3], (piece) => void order.push(`piece ${piece}`));
  const other = setImmediate().then(() => order.push("request"));
  await Promise.all([work, other]);
  expect(order[0]).toBe("piece 1");
  expect(order.indexOf("request")).toBeLessThan(order.indexOf("piece 3"));
});

test("while others send requests, a longer pause follows each piece", async () => {
  const order: string[] = [];
  const work = (): void => {
    noteRequest("ben");
    noteRequest("ana");
    const end = performance.now() + 20;
    while (performance.now() < end);
    order.push("piece");
  };
  const pieces = Promise.all([takeTurn("ana", work), takeTurn("ben", work)]);
  const request = pause(30).then(() => order.push("request"));
  await Promise.all([pieces, request]);
  expect(order).toEqual(["piece", "request", "piece"]);
});

test("a failed piece doesn't block the next one", async () => {
  await expect(takeTurn("ana", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await expect(takeTurn("ana", () => "done")).resolves.toBe("done");
});

test("a failed piece counts toward the person's heavy work", async () => {
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const work = () => {
    now += 60_000;
    throw new Error("broken");
  };
  await expect(takeTurn("zoe", work)).rejects.toThrow("broken");
  for (const person of ["zoe", "ana"]) noteRequest(person);
  // She worked alone, so she has just used up the burst.
  for (const person of ["zoe", "ana"]) heavyWork.spend(person, 1);
  expect([heavyWork.mustRest("zoe"), heavyWork.mustRest("ana")]).toEqual([true, false]);
});

test("database work counts toward a person's budget and is followed by a pause while others send requests", async () => {
  for (const person of ["ben", "uma"]) noteRequest(person);
  const order: string[] = [];
  const rest = restAfter("uma", 100).then(() => order.push("rest"));
  await setImmediate();
  order.push("request");
  await rest;
  expect(order).toEqual(["request", "rest"]);
  for (const person of ["ben", "uma"]) noteRequest(person);
  for (const person of ["ben", "uma"]) heavyWork.spend(person, 9_950);
  expect([heavyWork.mustRest("uma"), heavyWork.mustRest("ben")]).toEqual([true, false]);
});

test("a short piece of work waits if the person must rest, and spends the budget", async () => {
  heavyWork.spend("kim", 9_990);
  await restBefore("kim", 20);
  await vi.waitUntil(
    async () => {
      noteRequest("ana");
      heavyWork.spend("kim", 1_000);
      return (await Promise.race([restBefore("kim", 20), pause(100, "waits")])) === "waits";
    },
    { timeout: 60_000 },
  );
});
