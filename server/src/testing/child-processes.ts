import { readFile } from "node:fs/promises";
import { getPriority } from "node:os";

/** The ids of this process's children that run this program. Needs Linux. */
export async function childIds(program: string): Promise<number[]> {
  const children = (await readFile(`/proc/self/task/${process.pid}/children`, "utf8"))
    .trim()
    .split(" ")
    .filter(Boolean);
  // A child may have ended meanwhile.
  const commands = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return children.filter((_, index) => commands[index]?.includes(program)).map(Number);
}

/** The priorities of this process's children that run this program. Needs Linux. */
export async function childPriorities(program: string): Promise<number[]> {
  return (await childIds(program)).map((pid) => getPriority(pid));
}
