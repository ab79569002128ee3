import { fileURLToPath } from "node:url";
import { constants } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compression, defineAlgorithm } from "vite-plugin-compression2";

const SERVER = "http://127.0.0.1:4600";

/** The server takes state-changing requests from its own origin only, so the proxied ones carry it. */
const toServer = { target: SERVER, changeOrigin: true, headers: { origin: SERVER } };

/** Brotli's highest quality is too slow to compress each response, but not each build. Tests use a lower one. */
const QUALITY = Number(process.env["BROTLI_QUALITY"] ?? constants.BROTLI_MAX_QUALITY);
const compressedCopies = compression({
  include: /\.(?:js|css|html|svg|wasm)$/,
  algorithms: ["gzip", defineAlgorithm("brotliCompress", { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })],
  scheduler: { isHighMemory: () => false },
});

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), compressedCopies],
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
            // What several parts share. Small files are merged, as each costs a request. Larger ones would import in circles.
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
