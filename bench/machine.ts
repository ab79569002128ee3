import { availableParallelism, cpus, totalmem } from "node:os";
import type { Machine } from "./report.ts";
import type { Postgres } from "./stage/postgres.ts";

/** Kind and size of the machine, without its name. */
export async function describeMachine(postgres: Postgres): Promise<Machine> {
  const model = cpus()[0]?.model.trim() ?? "";
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return {
    date: new Date().toISOString().slice(0, 10),
    facts: [
      [String(availableParallelism()), `cores${model === "" || model === "unknown" ? "" : ` (${model})`}`],
      [memory, "of memory"],
      [process.platform, process.arch],
      ["Node", process.versions.node],
      ["PostgreSQL", await postgres.version()],
    ],
  };
}
