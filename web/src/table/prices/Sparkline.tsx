import type { PriceTrend } from "@slabdesk/contract/api/prices.ts";
import { memo } from "react";
import trends from "../../card/prices/trend.module.css";
import styles from "./price-cells.module.css";
import { trendStyle } from "../../card/prices/price-messages.ts";

const WIDTH = 56;
const HEIGHT = 16;
/** Room for the last dot and the line's width. */
const INSET = 3;

type SparklineProps = { values: readonly number[]; trend: PriceTrend | null };

/** The latest sales as a line. Decorative: the text beside it has the same information. */
export const Sparkline = memo(function Sparkline({ values, trend }: SparklineProps) {
  const path = sparklinePath(values, WIDTH, HEIGHT);
  if (path === null) return null;
  return (
    <svg
      className={`${styles.sparkline} ${trends.trend}`}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      data-trend={trendStyle(trend)?.word ?? "flat"}
      aria-hidden="true"
      focusable="false"
    >
      <polyline
        fill="none"
        stroke="currentcolor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        points={path.points}
      />
      <circle fill="currentcolor" cx={path.last.x} cy={path.last.y} r={2.25} />
    </svg>
  );
});

/** The points, oldest first, and the last one; null for fewer than two values. Equal values are centered vertically. */
export function sparklinePath(values: readonly number[], width: number, height: number) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const step = (width - 2 * INSET) / (values.length - 1);
  const places = values.map((value, index) => ({
    x: round(INSET + index * step),
    y: round(span === 0 ? height / 2 : height - INSET - ((value - low) / span) * (height - 2 * INSET)),
  }));
  const last = places.at(-1);
  return last && places.length > 1 ? { points: places.map(({ x, y }) => `${x},${y}`).join(" "), last } : null;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
