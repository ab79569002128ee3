import type { PriceTrend } from "@slabdesk/contract/api/prices.ts";
import { memo } from "react";
import { trendStyle } from "./price-messages.ts";
import styles from "./Sparkline.module.css";
import { sparklinePath } from "./sparkline-path.ts";

const WIDTH = 56;
const HEIGHT = 16;

type SparklineProps = { values: readonly number[]; trend: PriceTrend | null };

/**
 * The latest sales as a small line with a dot at the last one. Decorative: the text beside it has the same information.
 */
export const Sparkline = memo(function Sparkline({ values, trend }: SparklineProps) {
  const path = sparklinePath(values, WIDTH, HEIGHT);
  if (path === null) return null;
  return (
    <svg
      className={styles.sparkline}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      data-trend={trendStyle(trend)?.word ?? "flat"}
      aria-hidden="true"
      focusable="false"
    >
      <polyline className={styles.line} points={path.points} />
      <circle className={styles.dot} cx={path.last.x} cy={path.last.y} r={2.25} />
    </svg>
  );
});
