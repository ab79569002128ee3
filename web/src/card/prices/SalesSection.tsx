import {
  type MarkedSale,
  PRICE_SOURCE_NAMES,
  PRICE_SOURCES,
  type PriceSourceName,
} from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { formatAxisDay } from "@slabdesk/contract/certs/dates.ts";
import { Box, Group, Paper, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type PointerEvent, useMemo, useState } from "react";
import { loadProblem } from "../../api/errors.ts";
import { salesQuery } from "../../api/rows.ts";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { ChoiceBar } from "../../ui/form/ChoiceBar.tsx";
import { counted, money, wholeMoney } from "../../ui/format-numbers.ts";
import { HeadRow } from "../../ui/HeadRow.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { Remark } from "../CardParts.tsx";
import styles from "./Sales.module.css";
import { saleDate } from "./price-messages.ts";
import * as salesPlot from "./sales-plot.ts";

/** The sales behind a row's prices, as a plot and a list. Loaded when first shown. */
export function SalesSection({ row }: { row: ResultRow }) {
  const query = useQuery(salesQuery(row));
  const [chosen, setChosen] = useState<PriceSourceName>("cardladder");
  const listed = PRICE_SOURCES.filter((source) => query.data && query.data[source].length > 0);
  const source = listed.includes(chosen) ? chosen : listed[0];
  const choices = listed.map((name) => ({ value: name, label: PRICE_SOURCE_NAMES[name] }));
  return (
    <Box component="section" mt={14} aria-label="Sales">
      {source !== undefined && choices.length > 1 && (
        <Group justify="flex-end" mb={8}>
          <ChoiceBar label="Whose sales" choices={choices} value={source} onChange={setChosen} />
        </Group>
      )}
      {query.isPending && (
        <>
          <Box h={salesPlot.PLOT_HEIGHT} mb={8} bdrs={8} bg="var(--sd-fill)" aria-hidden="true" />
          <GhostRows count={4} rowHeight="2rem" label="Loading the sales" />
        </>
      )}
      {query.isError && <ErrorPanel {...loadProblem(query, "The sales could not be loaded.")} />}
      {query.isSuccess && source === undefined && <Remark>No sales are listed for this card.</Remark>}
      {query.isSuccess && source && <Sales key={source} row={row} source={source} sales={query.data[source]} />}
    </Box>
  );
}

function Sales({ row, source, sales }: { row: ResultRow; source: PriceSourceName; sales: readonly MarkedSale[] }) {
  const fetchedAt = (source === "cardladder" ? row.pricing : row.cardsiq)?.fetchedAt;
  const medianPrice = source === "cardladder" ? (row.pricing?.medianPrice ?? null) : null;
  const name = PRICE_SOURCE_NAMES[source];
  return (
    <>
      {fetchedAt !== undefined && (
        <SalesPlot name={name} sales={sales} medianPrice={medianPrice} fetchedAt={fetchedAt} />
      )}
      <Text component="details" c="dimmed" fz="sm">
        <summary style={{ width: "fit-content", marginBottom: 4, cursor: "pointer" }}>
          {counted(sales.length, "sale")} at {name}, newest first
        </summary>
        <table className={styles.sales} aria-label={`Sales at ${name}`}>
          <HeadRow names={["Date", "Platform", "Price"]} />
          <tbody>
            {salesPlot.keyedSales(sales).map(({ key, item: sale }) => (
              <tr key={key} data-counts={(sale.isInWindow && !sale.isOutlier) || undefined}>
                <td>{saleDate(sale.soldAt)}</td>
                <td>{sale.platform ?? "–"}</td>
                <td>
                  {sale.isOutlier && (
                    <Remark span me={8} px={6} py={1} bd="1px solid var(--sd-line)" bdrs={4} fz="0.6875rem">
                      outlier
                    </Remark>
                  )}
                  {money(sale.price)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Text>
    </>
  );
}

const KINDS = {
  counted: { label: "Included", dot: { fill: "var(--sd-accent)", stroke: "var(--sd-surface)" } },
  outlier: { label: "Outlier", dot: { fill: "var(--sd-surface)", stroke: "var(--sd-accent)", strokeWidth: 1.5 } },
  older: { label: "Older", dot: { fill: "var(--sd-control)", stroke: "var(--sd-surface)" } },
};
const PICKED_DOT = { stroke: "var(--sd-ink)", strokeWidth: 2 };

function kindOf({ isOutlier, isInWindow }: MarkedSale): keyof typeof KINDS {
  if (isOutlier) return "outlier";
  return isInWindow ? "counted" : "older";
}

/** `name` is the price source's. The plot ends at `fetchedAt` (ISO 8601), when the sales were fetched. */
type SalesPlotProps = { name: string; sales: readonly MarkedSale[]; medianPrice: number | null; fetchedAt: string };

/** The sales of 120 days as dots. For the keyboard and screen readers, a slider over the sales, oldest first. */
function SalesPlot({ name, sales, medianPrice, fetchedAt }: SalesPlotProps) {
  const { ref, width } = useElementSize();
  const [picked, setPicked] = useState<number | null>(null);
  const layout = useMemo(
    () => (width === 0 ? null : salesPlot.layOutSales(sales, medianPrice, Date.parse(fetchedAt), width)),
    [sales, medianPrice, fetchedAt, width],
  );
  const dot = picked === null ? undefined : layout?.dots[picked];
  const last = (layout?.dots.length ?? 1) - 1;

  const pick = (event: PointerEvent<SVGSVGElement>): void => {
    if (!layout) return;
    const box = event.currentTarget.getBoundingClientRect();
    setPicked(salesPlot.nearestDot(layout.dots, event.clientX - box.left, event.clientY - box.top));
  };
  return (
    <>
      <Box ref={ref} className={styles.plot ?? ""} pos="relative" mih={salesPlot.PLOT_HEIGHT} bdrs={8}>
        {layout && (
          <>
            <VisuallyHidden>
              <input
                type="range"
                aria-label={`Sales at ${name} by date`}
                aria-valuetext={saleMessage(dot ?? layout.dots[last])}
                min={0}
                max={last}
                value={picked ?? last}
                onChange={(event) => setPicked(Number(event.currentTarget.value))}
                onFocus={() => setPicked((current) => current ?? last)}
                onBlur={() => setPicked(null)}
              />
            </VisuallyHidden>
            <svg
              style={{ display: "block", touchAction: "pan-y" }}
              width={width}
              height={salesPlot.PLOT_HEIGHT}
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
            {dot && <SaleNote dot={dot} width={width} />}
          </>
        )}
      </Box>
      <PlotKey sales={sales} hasMedian={medianPrice !== null} />
    </>
  );
}

function PlotKey({ sales, hasMedian }: { sales: readonly MarkedSale[]; hasMedian: boolean }) {
  const kinds = new Set<string>(sales.map(kindOf));
  return (
    <Group component="p" gap="4px 14px" mt={2} mb={14} c="dimmed" fz="xs" aria-hidden="true">
      {Object.entries(KINDS)
        .filter(([kind]) => kind === "counted" || kinds.has(kind))
        .map(([kind, { label, dot }]) => (
          <Group key={kind} component="span" gap={6}>
            <svg width={9} height={9}>
              <circle {...dot} cx={4.5} cy={4.5} r={4} />
            </svg>
            {label}
          </Group>
        ))}
      {hasMedian && (
        <Group component="span" gap={6}>
          <svg width={14} height={2}>
            <MedianLine x={0} y={1} width={14} />
          </svg>
          Median
        </Group>
      )}
    </Group>
  );
}

function MedianLine({ x, y, width }: { x: number; y: number; width: number }) {
  return <line stroke="var(--sd-accent)" strokeWidth={1.5} strokeDasharray="5 3" x1={x} x2={x + width} y1={y} y2={y} />;
}

function saleMessage(dot: salesPlot.SaleDot | undefined): string {
  if (!dot) return "";
  const { soldAt, price, platform, isOutlier } = dot.sale;
  const message = [saleDate(soldAt), money(price), platform, isOutlier ? "outlier, not included" : null];
  return message.filter(Boolean).join(", ");
}

function SaleNote({ dot: { x, y, sale }, width }: { dot: salesPlot.SaleDot; width: number }) {
  const place = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
  return (
    <Paper
      withBorder
      shadow="md"
      radius={8}
      pos="absolute"
      top={Math.max(0, y - 14)}
      p="6px 9px"
      c="dimmed"
      fz="xs"
      lh={1.35}
      style={{ ...place, display: "grid", pointerEvents: "none", whiteSpace: "nowrap" }}
    >
      <Box component="strong" fz="sm" c="var(--sd-ink)" style={{ fontVariantNumeric: "tabular-nums" }}>
        {money(sale.price)}
      </Box>
      <span>{[saleDate(sale.soldAt), sale.platform].filter(Boolean).join(" · ")}</span>
      {sale.isOutlier && <span>Outlier, not included</span>}
    </Paper>
  );
}

function Dot({ dot: { sale, x, y, isBeyond }, isPicked }: { dot: salesPlot.SaleDot; isPicked: boolean }) {
  const shape = { ...KINDS[kindOf(sale)].dot, ...(isPicked && PICKED_DOT) };
  if (!isBeyond) return <circle {...shape} cx={x} cy={y} r={isPicked ? 5.5 : 4} />;
  const tip = y < salesPlot.PLOT_HEIGHT / 2 ? -5 : 5;
  return <path {...shape} d={`M${x - 4.5},${y} h9 l-4.5,${tip} z`} />;
}

const TICK = { fill: "var(--sd-muted)", style: { fontSize: "0.6875rem", fontVariantNumeric: "tabular-nums" } };

/** The background of the dots: the 30-day window, price lines, date labels and the median. */
function Scales({ layout, width }: { layout: salesPlot.SalesPlotLayout; width: number }) {
  const bottom = salesPlot.PLOT_HEIGHT - salesPlot.PLOT_INSET.bottom;
  const right = width - salesPlot.PLOT_INSET.right;
  return (
    <>
      <rect
        fill="var(--sd-accent-soft)"
        x={layout.window.x}
        y={salesPlot.PLOT_INSET.top - 6}
        width={layout.window.width}
        height={bottom - salesPlot.PLOT_INSET.top + 6}
      />
      {layout.priceTicks.map(({ dollars, y }) => (
        <g key={dollars}>
          <line stroke="var(--sd-line)" x1={salesPlot.PLOT_INSET.left} x2={right} y1={y} y2={y} />
          <text {...TICK} x={salesPlot.PLOT_INSET.left - 8} y={y + 3.5} textAnchor="end">
            {wholeMoney(dollars)}
          </text>
        </g>
      ))}
      {layout.dayTicks.map(({ at, x }) => (
        <text key={at} {...TICK} x={x} y={salesPlot.PLOT_HEIGHT - 6} textAnchor={x > right - 20 ? "end" : "middle"}>
          {formatAxisDay(at)}
        </text>
      ))}
      {layout.medianY !== null && <MedianLine {...layout.window} y={layout.medianY} />}
    </>
  );
}
