import type { SaleView } from "@slabdesk/contract/api/prices.ts";
import { useElementSize } from "@mantine/hooks";
import { type PointerEvent, useMemo, useState } from "react";
import { saleDate, saleDay } from "../price-messages.ts";
import { money, wholeMoney } from "../../../ui/format-money.ts";
import { layOutSales, nearestDot, PLOT_HEIGHT, PLOT_INSET, type SaleDot, type SalesPlotLayout } from "./sales-plot.ts";
import styles from "./SalesPlot.module.css";

type SalesPlotProps = {
  /** The price source's name. */
  name: string;
  sales: readonly SaleView[];
  medianPrice: number | null;
  /** When the sales were fetched, ISO 8601. The plot ends at this time. */
  fetchedAt: string;
};

/**
 * The sales of 120 days as dots. The pointer shows the nearest sale. For the keyboard and screen readers, the plot is a
 * slider over the sales, oldest first.
 */
export function SalesPlot({ name, sales, medianPrice, fetchedAt }: SalesPlotProps) {
  const { ref, width } = useElementSize();
  const [picked, setPicked] = useState<number | null>(null);
  const layout = useMemo(
    () => (width === 0 ? null : layOutSales(sales, medianPrice, Date.parse(fetchedAt), width)),
    [sales, medianPrice, fetchedAt, width],
  );
  const dot = picked === null ? undefined : layout?.dots[picked];
  const last = (layout?.dots.length ?? 1) - 1;

  const pick = (event: PointerEvent<SVGSVGElement>): void => {
    if (!layout) return;
    const box = event.currentTarget.getBoundingClientRect();
    setPicked(nearestDot(layout.dots, event.clientX - box.left, event.clientY - box.top));
  };
  return (
    <div ref={ref} className={styles.plot} style={{ minHeight: PLOT_HEIGHT }}>
      {layout && (
        <>
          <input
            type="range"
            className={styles.slider}
            aria-label={`Sales at ${name} by date`}
            aria-valuetext={saleMessage(dot ?? layout.dots[last])}
            min={0}
            max={last}
            value={picked ?? last}
            onChange={(event) => setPicked(Number(event.currentTarget.value))}
            onFocus={() => setPicked((current) => current ?? last)}
            onBlur={() => setPicked(null)}
          />
          <svg
            className={styles.drawing}
            width={width}
            height={PLOT_HEIGHT}
            aria-hidden="true"
            onPointerMove={pick}
            onPointerDown={pick}
            onPointerLeave={() => setPicked(null)}
          >
            <Scales layout={layout} width={width} />
            {layout.dots.map((one, index) => (
              <Dot key={one.key} dot={one} isPicked={index === picked} />
            ))}
          </svg>
          {dot && (
            <div className={styles.note} style={notePlace(dot, width)}>
              <strong>{money(dot.sale.price)}</strong>
              <span>{[saleDate(dot.sale.soldAt), dot.sale.platform].filter(Boolean).join(" · ")}</span>
              {dot.sale.isOutlier && <span>Outlier, not counted</span>}
            </div>
          )}
        </>
      )}
    </div>
  );
}

function saleMessage(dot: SaleDot | undefined): string {
  if (!dot) return "";
  const { soldAt, price, platform, isOutlier } = dot.sale;
  const message = [saleDate(soldAt), money(price), platform, isOutlier ? "outlier, not counted" : null];
  return message.filter(Boolean).join(", ");
}

function notePlace({ x, y }: SaleDot, width: number): { top: number; left?: number; right?: number } {
  return { top: Math.max(0, y - 14), ...(x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }) };
}

function Dot({ dot: { sale, x, y, isBeyond }, isPicked }: { dot: SaleDot; isPicked: boolean }) {
  const look = {
    className: styles.dot,
    "data-kind": sale.isOutlier ? "outlier" : sale.isInWindow ? "counted" : "older",
    "data-picked": isPicked || undefined,
  };
  if (!isBeyond) return <circle {...look} cx={x} cy={y} r={isPicked ? 5.5 : 4} />;
  const tip = y < PLOT_HEIGHT / 2 ? -5 : 5;
  return <path {...look} d={`M${x - 4.5},${y} h9 l-4.5,${tip} z`} />;
}

/** The background of the dots: the 30-day window, price lines, date labels and the median. */
function Scales({ layout, width }: { layout: SalesPlotLayout; width: number }) {
  const bottom = PLOT_HEIGHT - PLOT_INSET.bottom;
  const right = width - PLOT_INSET.right;
  return (
    <>
      <rect
        className={styles.window}
        x={layout.window.x}
        y={PLOT_INSET.top - 6}
        width={layout.window.width}
        height={bottom - PLOT_INSET.top + 6}
      />
      {layout.priceTicks.map(({ dollars, y }) => (
        <g key={dollars}>
          <line className={styles.grid} x1={PLOT_INSET.left} x2={right} y1={y} y2={y} />
          <text className={styles.tick} x={PLOT_INSET.left - 8} y={y + 3.5} textAnchor="end">
            {wholeMoney(dollars)}
          </text>
        </g>
      ))}
      {layout.dayTicks.map(({ at, x }) => (
        <text key={at} className={styles.tick} x={x} y={PLOT_HEIGHT - 6} textAnchor={x > right - 20 ? "end" : "middle"}>
          {saleDay(at)}
        </text>
      ))}
      {layout.medianY !== null && (
        <line
          className={styles.median}
          x1={layout.window.x}
          x2={layout.window.x + layout.window.width}
          y1={layout.medianY}
          y2={layout.medianY}
        />
      )}
    </>
  );
}
