let parts: Buffer[] = [];
let more = Promise.withResolvers<void>();

process.stdin.on("data", (part: Buffer) => {
  parts.push(part);
  more.resolve();
});

/** Reads the next `length` bytes from the standard input. Waits for them. */
export async function readStandardInput(length: number): Promise<Buffer> {
  while (parts.reduce((sum, part) => sum + part.length, 0) < length) {
    more = Promise.withResolvers<void>();
    await more.promise;
  }
  const all = Buffer.concat(parts);
  parts = [all.subarray(length)];
  return all.subarray(0, length);
}
