/** A sparkline's SVG points and the position of the last one. */
export type SparklinePath = { points: string; last: { x: number; y: number } };

/** Room for the last dot and the line's width. */
const INSET = 3;

/**
 * Spreads the values over a box of the given size, oldest on the left. Returns null for fewer than two values. Equal
 * values are centered vertically.
 */
export function sparklinePath(values: readonly number[], width: number, height: number): SparklinePath | null {
  if (values.length < 2) return null;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const step = (width - 2 * INSET) / (values.length - 1);
  const places = values.map((value, index) => ({
    x: round(INSET + index * step),
    y: round(span === 0 ? height / 2 : height - INSET - ((value - low) / span) * (height - 2 * INSET)),
  }));
  const last = places.at(-1);
  return last ? { points: places.map(({ x, y }) => `${x},${y}`).join(" "), last } : null;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
