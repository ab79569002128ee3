import { flushCompileCache } from "node:module";
import { Worker } from "node:worker_threads";
import { readCgcPage } from "./cgc/read-page.ts";
import { readPsaPage } from "./psa/read-page.ts";

/* Reads the graders' pages, one at a time. */

const READERS = { PSA: readPsaPage, CGC: readCgcPage };
export type Readers = typeof READERS;

process.on("message", ({ company, values }: { company: keyof Readers; values: [] }) => {
  process.send?.(Reflect.apply(READERS[company], undefined, values));
});
process.on("disconnect", () => process.exit());
// While the process is busy with a page, it doesn't notice a disconnect.
const endWithParent = `
  const { ppid } = process;
  setInterval(() => process.ppid === ppid || process.kill(process.pid, "SIGKILL"), 1_000);`;
new Worker(endWithParent, { eval: true }).unref();
flushCompileCache();
