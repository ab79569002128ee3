let parts: Buffer[] = [];
let size = 0;
let more = Promise.withResolvers<void>();

process.stdin.on("data", (part: Buffer) => {
  parts.push(part);
  size += part.length;
  more.resolve();
});

/** Reads the next `length` bytes from the standard input. Waits for them. */
export async function readStandardInput(length: number): Promise<Buffer> {
  while (size < length) {
    more = Promise.withResolvers<void>();
    await more.promise;
  }
  const all = Buffer.concat(parts);
  parts = [all.subarray(length)];
  size -= length;
  return all.subarray(0, length);
}
