import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";

/** The entries of a ZIP file and their contents, in order, as another program reads them. */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    if (contents.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`);
    contents.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return contents;
}
