import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXT_OR_CODE = /\.(?:js|css|html|svg|wasm)$/;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const QUALITY = Number(process.env["BROTLI_QUALITY"] ?? constants.BROTLI_MAX_QUALITY);

/**
 * Writes a Brotli and a gzip copy beside each file of the build. The highest quality is too slow for a server that
 * compresses each response, and strangers could keep it busy with compressing.
 */
export function compressedCopies(): Plugin {
  return {
    name: "compressed-copies",
    apply: "build",
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error("The build has no output folder");
      const options = { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } };
      const files = (await readdir(dir, { recursive: true })).filter((file) => TEXT_OR_CODE.test(file));
      await Promise.all(
        files.map(async (file) => {
          const path = join(dir, file);
          const bytes = await readFile(path);
          await writeFile(`${path}.br`, await toBrotli(bytes, options));
          await writeFile(`${path}.gz`, await toGzip(bytes));
        }),
      );
    },
  };
}
