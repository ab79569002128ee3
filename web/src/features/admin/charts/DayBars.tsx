import { type ReactElement, type ReactNode, useState } from "react";
import { Bar, BarChart, type BarShapeProps, CartesianGrid, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import type { AdminFilter } from "../admin-filter.ts";
import { formatDay } from "../admin-time.ts";
import type { DaySeries, Part } from "./chart-series.ts";
import { axisDays, axisLines, formatLongDay, type Unit } from "./chart-formats.ts";
import classes from "./DayBars.module.css";
import { isFaded } from "./marks.ts";
import tones from "./tones.module.css";

/** Minimum bar height, so that any nonzero day is visible. */
const LEAST_HEIGHT = 1.5;

type DayBarsProps = {
  label: string;
  series: DaySeries;
  unit: Unit;
  /** A horizontal line at the daily maximum. */
  limit?: { value: number; message: string } | undefined;
  filter: AdminFilter;
  onMark: (filter: AdminFilter) => void;
};

/**
 * A bar chart by day. Clicking a bar segment selects that part and day; clicking beside it selects the day. On the
 * keyboard, arrows move between days, and Enter or Space selects.
 */
export function DayBars({ label, series, unit, limit, filter, onMark }: DayBarsProps): ReactNode {
  const { days, parts } = series;
  // The day under the keyboard focus; the mouse tracks its own.
  const [place, setPlace] = useState<number | null>(null);
  const lines = axisLines(Math.max(...days.map(({ total }) => total)), limit?.value);
  const choose = (mark: AdminFilter): void => onMark(mark);
  return (
    <div className={classes.plot}>
      <DaySlider
        label={label}
        days={days}
        unit={unit}
        place={place}
        onPlace={setPlace}
        onChoose={(day) => choose({ ...onlyMark(parts), day })}
      />
      <div className={classes.drawing} aria-hidden="true">
        <BarChart
          responsive
          className={classes.chart ?? ""}
          data={days}
          margin={{ top: 6, right: 2, bottom: 0, left: 0 }}
          barCategoryGap={days.length > 31 ? 0.5 : 3}
          accessibilityLayer={false}
          onClick={({ activeLabel }) => {
            if (typeof activeLabel === "string") choose({ day: activeLabel });
          }}
        >
          <CartesianGrid vertical={false} stroke="var(--sd-line)" />
          <XAxis
            dataKey="day"
            ticks={axisDays(days.map(({ day }) => day))}
            tickFormatter={formatDay}
            interval={0}
            height={18}
            tickSize={0}
            tickMargin={6}
            axisLine={{ stroke: "var(--sd-line)" }}
            tick={TICK}
          />
          <YAxis
            orientation="right"
            width={40}
            ticks={lines}
            tickFormatter={unit.short}
            domain={[0, lines.at(-1) ?? 1]}
            interval={0}
            axisLine={false}
            tickSize={0}
            tickMargin={6}
            tick={TICK}
          />
          <Tooltip
            {...(place !== null && { defaultIndex: place })}
            isAnimationActive={false}
            cursor={{ fill: "var(--sd-fill)", opacity: 0.7 }}
            wrapperStyle={{ zIndex: 3, outline: "none" }}
            content={<DayTip series={series} unit={unit} limit={limit} />}
          />
          {parts.map((part) => (
            <Bar
              key={part.key}
              dataKey={(bar: DaySeries["days"][number]) => bar.sizes[part.key] ?? 0}
              name={part.key}
              stackId="day"
              isAnimationActive={false}
              shape={<Piece days={days} part={part} filter={filter} onMark={choose} />}
            />
          ))}
          {limit !== undefined && (
            <ReferenceLine
              y={limit.value}
              stroke="var(--sd-bad)"
              strokeDasharray="4 3"
              label={{ value: limit.message, position: "insideTopLeft", ...TICK, fill: "var(--sd-bad)" }}
            />
          )}
        </BarChart>
      </div>
    </div>
  );
}

/** The filter that all bars of a single-part chart share, apart from the day. */
function onlyMark(parts: readonly Part[]): AdminFilter {
  return parts.length === 1 ? (parts[0]?.mark ?? {}) : {};
}

const TICK = { fill: "var(--sd-muted)", fontSize: 11 } as const;

type DaySliderProps = {
  label: string;
  days: DaySeries["days"];
  unit: Unit;
  place: number | null;
  onPlace: (place: number | null) => void;
  onChoose: (day: string) => void;
};

/** The chart for keyboard and screen-reader users: one day at a time, starting from today. */
function DaySlider({ label, days, unit, place, onPlace, onChoose }: DaySliderProps): ReactNode {
  const last = days.length - 1;
  const bar = days[place ?? last];
  if (bar === undefined) return null;
  return (
    <input
      type="range"
      className={classes.days}
      aria-label={`${label}, by day; Enter shows the day's sessions`}
      aria-valuetext={`${formatLongDay(bar.day)}: ${unit.long(bar.total)}`}
      min={0}
      max={last}
      value={place ?? last}
      onChange={(event) => onPlace(event.currentTarget.valueAsNumber)}
      onFocus={() => onPlace(place ?? last)}
      onBlur={() => onPlace(null)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onChoose(bar.day);
      }}
    />
  );
}

/** Recharts supplies the position. */
type PieceProps = Partial<Pick<BarShapeProps, "x" | "y" | "width" | "height" | "originalDataIndex">> & {
  days: DaySeries["days"];
  part: Part;
  filter: AdminFilter;
  onMark: (mark: AdminFilter) => void;
};

function Piece({ days, part, filter, onMark, originalDataIndex, ...place }: PieceProps): ReactElement | null {
  const { x = 0, y = 0, width = 0, height: drawn = 0 } = place;
  const day = originalDataIndex === undefined ? undefined : days[originalDataIndex]?.day;
  if (day === undefined || drawn <= 0) return null;
  const mark = { ...part.mark, day };
  const height = Math.max(LEAST_HEIGHT, drawn);
  return (
    <path
      className={`${classes.piece} ${tones.tone}`}
      d={`M${x} ${y + drawn - height}h${width}v${height}h${-width}z`}
      data-tone={part.tone}
      data-mark={`${part.key} ${day}`}
      data-faded={isFaded(filter, mark) || undefined}
      onClick={(event) => {
        event.stopPropagation();
        onMark(mark);
      }}
    />
  );
}

/** Recharts supplies the day and whether the tooltip is active. */
type DayTipProps = Pick<DayBarsProps, "series" | "unit" | "limit"> & { active?: boolean; label?: unknown };

function DayTip({ active, label: day, series, unit, limit }: DayTipProps): ReactNode {
  if (active !== true || typeof day !== "string") return null;
  const bar = series.days.find((candidate) => candidate.day === day);
  const parts = series.parts.filter(({ key }) => (bar?.sizes[key] ?? 0) > 0);
  return (
    <div className={classes.tip}>
      <p className={classes.tipDay}>
        {formatLongDay(day)} <strong>{unit.long(bar?.total ?? 0)}</strong>
      </p>
      {parts.length > 1 && (
        <ul className={classes.tipParts}>
          {parts.map(({ key, title, tone }) => (
            <li key={key}>
              <span className={`${classes.tipSwatch} ${tones.tone}`} data-tone={tone} aria-hidden="true" />
              {title} <span>{unit.long(bar?.sizes[key] ?? 0)}</span>
            </li>
          ))}
        </ul>
      )}
      {limit !== undefined && <p className={classes.tipLimit}>{limit.message}</p>}
    </div>
  );
}
