import { Button, Center, Group, Input, NativeSelect, Text } from "@mantine/core";
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from "react";
import { Panel } from "../../../ui/Panel.tsx";
import { useChangePreferences } from "../../../table/columns/use-table-preferences.ts";
import toolbar from "../../../table/filter/TableToolbar.module.css";
import { counted, formatCount } from "../../../ui/format-numbers.ts";
import type { Planning } from "../plan/use-plan.ts";
import type { LoadedSheet } from "../scanner-state.ts";
import { type Guess, GUESSES } from "../sheet/sheet-edits.ts";
import type { SheetChoice } from "../sheet/use-sheet.ts";
import { countLines, FILTER_RULES, linesIn, LINE_FILTERS, type LineFilter, shownLines } from "../sheet/line-filter.ts";
import { SheetGrid } from "./SheetGrid.tsx";

const GUESS_LABELS: Record<Guess, string> = {
  numbers: "Guessed company: by number",
  PSA: "Guessed company: all PSA",
  CGC: "Guessed company: all CGC",
  TAG: "Guessed company: all TAG",
  none: "Don't guess companies",
};
const NOTHING_KEPT: ReadonlySet<number> = new Set();

type SheetTableProps = {
  loaded: LoadedSheet;
  planning: Planning;
  choice: SheetChoice;
  /** The run is starting, so nothing can be changed any more. */
  isLocked: boolean;
  onScrolled: (line: number) => void;
};

/** The sheet before its run: each line with its verdict, editable in place. */
export function SheetTable({ loaded, planning, choice, isLocked, onScrolled }: SheetTableProps) {
  const { lines, summary, columns, guess } = loaded;
  const [filter, setFilter] = useState<LineFilter>("all");
  const [find, setFind] = useState("");
  const [kept, setKept] = useState(NOTHING_KEPT);
  const words = useDeferredValue(find);
  useSheetOrder();
  const knownLines = planning.data?.plan.knownLines;
  const cached = useMemo(() => linesIn(knownLines ?? []), [knownLines]);
  const counts = useMemo(() => countLines(lines, cached), [lines, cached]);
  const shown = useMemo(
    () => shownLines(lines, { filter, find: words, cached, kept }),
    [lines, filter, words, cached, kept],
  );
  const [only, ...others] = columns;
  const isGuessing = guess !== null && (summary.guessed > 0 || guess !== "numbers");
  return (
    <Panel aria-label="Your sheet" display="flex" mih={0} style={{ overflow: "hidden", flexDirection: "column" }}>
      <Group gap={8} className={toolbar.toolbar ?? ""}>
        <Input
          className={toolbar.find ?? ""}
          type="search"
          aria-label="Find in this sheet"
          placeholder="Find in this sheet"
          value={find}
          onChange={(event) => setFind(event.currentTarget.value)}
        />
        <Group component="fieldset" gap={6} miw={0} aria-label="Which lines are shown">
          {LINE_FILTERS.filter((name) => name === "all" || name === filter || counts[name] > 0).map((name) => (
            <button
              key={name}
              type="button"
              className={toolbar.filter}
              aria-pressed={filter === name}
              onClick={() => {
                setFilter(name);
                setKept(NOTHING_KEPT);
              }}
            >
              {FILTER_RULES[name].label} {formatCount(counts[name])}
            </button>
          ))}
        </Group>
        <Group gap={8} ms="auto">
          {summary.suggested > 0 && (
            <Button size="xs" disabled={isLocked} onClick={choice.acceptSuggestions}>
              Use {counted(summary.suggested, "suggested company", "suggested companies")}
            </Button>
          )}
          {isGuessing && (
            <NativeSelect
              size="xs"
              aria-label="Guessed company"
              disabled={isLocked}
              data={GUESSES.map((value) => ({ value, label: GUESS_LABELS[value] }))}
              value={guess}
              onChange={({ currentTarget: { value } }) => {
                const chosen = GUESSES.find((each) => each === value);
                if (chosen) choice.guessCompanies(chosen);
              }}
            />
          )}
        </Group>
      </Group>
      {shown.length === 0 ? (
        <Center mih={200} flex={1}>
          <Text c="dimmed">No lines match</Text>
        </Center>
      ) : (
        <SheetGrid
          lines={shown}
          listKey={`${filter} ${words}`}
          isLocked={isLocked}
          cached={cached}
          columns={only && others.length === 0 ? only : null}
          choice={choice}
          onEdit={(line, field, text) => {
            setKept((now) => new Set(now).add(line));
            choice.editCell(line, field, text);
          }}
          onScrolled={onScrolled}
        />
      )}
    </Panel>
  );
}

/** The run takes this table's place in the sheet's order, whatever the last run was sorted by. */
function useSheetOrder(): void {
  const changePreferences = useChangePreferences();
  const reset = useEffectEvent(() =>
    changePreferences((current) => (current.sort === null ? current : { ...current, sort: null })),
  );
  useEffect(() => reset(), []);
}
