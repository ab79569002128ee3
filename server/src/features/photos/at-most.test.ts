import { expect, test } from "vitest";
import { atMost } from "./at-most.ts";

test("limits the calls under way, and prefers whoever has the fewest, then whoever came first", async () => {
  const inTurn = atMost(3, 2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string): Promise<void> =>
    inTurn(
      async () => {
        begun.push(name);
        await new Promise<void>((end) => ends.set(name, end));
        if (name === "ben1") throw new Error("broken");
      },
      name.slice(0, -1),
    );
  const works = ["ana1", "ana2", "ana3", "ana4", "ben1", "ben2", "cat1"].map((name) => [name, work(name)] as const);
  expect(begun).toEqual(["ana1", "ana2", "ben1"]);

  const order: string[] = [];
  for (const name of ["ana1", "ben1", "cat1", "ana2", "ana3", "ben2", "ana4"]) {
    const before = begun.length;
    ends.get(name)?.();
    const ended = works.find(([one]) => one === name)?.[1];
    if (name === "ben1") await expect(ended).rejects.toThrow("broken");
    else await ended;
    order.push(`${name}: ${begun.slice(before).join()}`);
  }
  expect(order).toEqual(["ana1: cat1", "ben1: ben2", "cat1: ana3", "ana2: ana4", "ana3: ", "ben2: ", "ana4: "]);
});
