import { formatNumber, median, ratio } from "../numbers.ts";
import type { Section } from "../report.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import { runToEnd } from "./run-to-end.ts";

const CARDS = 1_200;
const ROUNDS = 2;
const SETTINGS = { LANE_CONCURRENCY: "16" };

/** Alternates one node and two on the same database, so that other load affects both alike. */
export async function measureNodes(stage: Stage): Promise<Section> {
  const one: number[] = [];
  const two: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    one.push(await measureRate(stage, 1));
    two.push(await measureRate(stage, 2));
  }
  return {
    title: "Two nodes against one",
    about: `The same as above with \`LANE_CONCURRENCY=16\`, which limits all nodes together; ${CARDS} cards, the median of ${ROUNDS} rounds each.`,
    head: ["nodes", "cards/s", "against 1"],
    rows: [
      ["1", formatNumber(median(one)), ratio(1, 1)],
      ["2", formatNumber(median(two)), ratio(median(two), median(one))],
    ],
    notes: [
      "On one machine a second node adds no cores: a ratio near 1 means that the machine is saturated, a much lower one " +
        "that the nodes slow each other down. Only nodes on separate machines can exceed 1.",
    ],
  };
}

async function measureRate(stage: Stage, nodeCount: number): Promise<number> {
  const settings = Array.from({ length: nodeCount }, () => SETTINGS);
  return stage.withNodes(settings, async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    const { id } = await (await node.visit()).upload(makeSheet(CARDS));
    return runToEnd(database, id);
  });
}
