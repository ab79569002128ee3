import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import type { Plugin } from "vite";

const TEXT_OR_CODE = /\.(?:js|css|html|svg|wasm)$/;

const compressed = promisify(brotliCompress);

/**
 * Writes a Brotli copy beside each file of the build. The highest quality, which `brotliCompress` uses by default, is
 * too slow for a server that compresses each response.
 */
export function brotliCopies(): Plugin {
  return {
    name: "brotli-copies",
    apply: "build",
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error("The build has no output folder");
      const files = (await readdir(dir, { recursive: true })).filter((file) => TEXT_OR_CODE.test(file));
      await Promise.all(
        files.map(async (file) => {
          const path = join(dir, file);
          await writeFile(`${path}.br`, await compressed(await readFile(path)));
        }),
      );
    },
  };
}
