import { readFile } from "node:fs/promises";
import { getPriority } from "node:os";

/** The priorities of this process's children that run this program. Needs Linux. */
export async function childPriorities(program: string): Promise<number[]> {
  const children = (await readFile(`/proc/self/task/${process.pid}/children`, "utf8")).trim().split(" ");
  const commands = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8")));
  return children.filter((_, index) => commands[index]?.includes(program)).map((pid) => getPriority(Number(pid)));
}
