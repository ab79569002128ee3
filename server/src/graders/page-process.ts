import { flushCompileCache } from "node:module";
import { readCgcPage } from "./cgc/read-page.ts";
import { readPsaPage } from "./psa/read-page.ts";

/* Reads the graders' pages, one at a time. */

const READERS = { PSA: readPsaPage, CGC: readCgcPage };
export type Readers = typeof READERS;

process.on("message", ({ company, values }: { company: keyof Readers; values: [] }) => {
  process.send?.(Reflect.apply(READERS[company], undefined, values));
});
process.on("disconnect", () => process.exit());
flushCompileCache();
