import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Plugin } from "vite";

const TEXT_OR_CODE = /\.(?:js|css|html|svg|wasm)$/;

const compress = promisify(brotliCompress);
const QUALITY = Number(process.env["BROTLI_QUALITY"] ?? constants.BROTLI_MAX_QUALITY);

/**
 * Writes a Brotli copy beside each file of the build. The highest quality is too slow for a server that
 * compresses each response.
 */
export function brotliCopies(): Plugin {
  return {
    name: "brotli-copies",
    apply: "build",
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error("The build has no output folder");
      const options = { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } };
      const files = (await readdir(dir, { recursive: true })).filter((file) => TEXT_OR_CODE.test(file));
      await Promise.all(
        files.map(async (file) => {
          const path = join(dir, file);
          await writeFile(`${path}.br`, await compress(await readFile(path), options));
        }),
      );
    },
  };
}
