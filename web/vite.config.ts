import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { compressedCopies } from "./compressed-copies.ts";

const SERVER = "http://127.0.0.1:4600";

/** The server takes state-changing requests from its own origin only, so the proxied ones carry it. */
const toServer = { target: SERVER, changeOrigin: true, headers: { origin: SERVER } };

/** Each schema of zod brings zod's generator of JSON schemas, which only the server uses. */
const withoutJsonSchemas: Plugin = {
  name: "without-json-schemas",
  apply: "build",
  load: {
    filter: { id: /zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/ },
    async handler(id) {
      const names = (await readFile(id, "utf8")).matchAll(/^export (?:const|function|class) (\w+)/gm);
      return Array.from(names, ([, name]) => `export const ${name} = undefined;`).join("\n");
    },
  },
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), withoutJsonSchemas, compressedCopies()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2024",
    rolldownOptions: {
      output: {
        // The name of a shared file lists the parts that share it, which may be many.
        chunkFileNames: ({ name }) => `assets/${name.split("~")[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // React changes more seldom than the product: apart, it stays in the browser's cache over an update.
            { name: "react", test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//, priority: 1 },
            // What the sign-in page needs.
            { name: "start", tags: ["$initial"], priority: 1 },
            // What several parts share. Small files join others: each costs a request. Larger ones would form circles.
            { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 10_000 },
          ],
        },
      },
    },
  },
  // A worker of modules can load parts of itself later: the workbook reader comes with the first workbook.
  worker: { format: "es" },
  server: { host: "127.0.0.1", port: 5173, proxy: { "/api": toServer, "/readyz": toServer } },
});
