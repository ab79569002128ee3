/** The median. @throws RangeError if there are no values */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The value that `percent` percent of the values don't exceed. @throws RangeError if there are no values */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new RangeError("Nothing was measured");
  return value;
}

/** "12,345", "12.3", "0.12": three significant digits. */
export function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** "1.3×": the ratio to another value. */
export function ratio(value: number, to: number): string {
  return `${(value / to).toFixed(2)}×`;
}

/** "34.5 kB", in thousands of bytes. */
export function kilobytes(bytes: number): string {
  return `${formatNumber(bytes / 1000)} kB`;
}

/** The result of some work and how long it took. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; answer: T }> {
  const startedAt = performance.now();
  const answer = await work();
  return { ms: performance.now() - startedAt, answer };
}
