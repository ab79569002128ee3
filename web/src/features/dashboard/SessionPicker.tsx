import { type ScanSession, SESSION_SORTS } from "@slabdesk/contract/api/sessions.ts";
import { Box, NativeSelect, TextInput } from "@mantine/core";
import { IconFilter, IconStack2 } from "@tabler/icons-react";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import type { DashboardState } from "./dashboard-storage.ts";
import { SessionList } from "./SessionList.tsx";
import styles from "./SessionPicker.module.css";
import type { SessionListing } from "./use-session-list.ts";

type Sort = DashboardState["sort"];

const SORT_LABELS: Record<Sort, string> = { date: "Date", name: "Name", cards: "Cards", status: "Status" };

const SORT_CHOICES = SESSION_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }));

/** Labels of the two orders, descending and ascending. */
const ORDER_LABELS: Record<Sort, readonly [descending: string, ascending: string]> = {
  date: ["Newest first", "Oldest first"],
  name: ["Z to A", "A to Z"],
  cards: ["Most first", "Fewest first"],
  status: ["Z to A", "A to Z"],
};

type SessionPickerProps = {
  state: DashboardState;
  onChange: (change: Partial<DashboardState>) => void;
  listing: SessionListing;
  chosenId: string | null;
  onChoose: (session: ScanSession) => void;
};

/** The session list with its filter, sort, and order. */
export function SessionPicker({ state, onChange, listing, chosenId, onChoose }: SessionPickerProps) {
  const { sessions, isLoading, loadMore, problem } = listing;
  const [descending, ascending] = ORDER_LABELS[state.sort];
  const isFiltered = state.filter.trim() !== "";
  return (
    <Panel
      padding="flush"
      aria-label="Sessions"
      aria-busy={isLoading}
      display="flex"
      mih={0}
      style={{ flexDirection: "column", overflow: "hidden" }}
    >
      <div className={styles.tools}>
        <TextInput
          style={{ gridColumn: "1 / -1" }}
          type="search"
          size="xs"
          aria-label="Filter sessions by session name or file name"
          placeholder="Session or file name"
          leftSection={<IconFilter size={15} aria-hidden="true" />}
          maxLength={500}
          value={state.filter}
          onChange={(event) => onChange({ filter: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Escape" && state.filter !== "") onChange({ filter: "" });
          }}
        />
        <NativeSelect
          size="xs"
          aria-label="Sort by"
          data={SORT_CHOICES}
          value={state.sort}
          onChange={(event) => onChange(sortOf(event.currentTarget.value))}
        />
        <NativeSelect
          size="xs"
          aria-label="Order"
          data={[
            { value: "desc", label: descending },
            { value: "asc", label: ascending },
          ]}
          value={state.order}
          onChange={(event) => onChange({ order: event.currentTarget.value === "asc" ? "asc" : "desc" })}
        />
      </div>
      {problem !== null && (
        <Box p="sm">
          <ErrorPanel {...problem} />
        </Box>
      )}
      {isLoading && <GhostRows count={6} rowHeight="5rem" label="Loading your scan sessions" />}
      {!isLoading && problem === null && sessions.length === 0 && (
        <EmptyState icon={<IconStack2 size={32} stroke={1.25} />} title="No scan sessions found">
          {isFiltered
            ? "No matching sessions. Clear the filter to see all of them."
            : "Process a sheet in the Scanner and its session is kept here."}
        </EmptyState>
      )}
      {sessions.length > 0 && (
        <SessionList sessions={sessions} chosenId={chosenId} onChoose={onChoose} loadMore={loadMore} />
      )}
    </Panel>
  );
}

/** Parses a selected sort and adds its usual order. */
function sortOf(value: string): Pick<DashboardState, "sort" | "order"> {
  const sort = SESSION_SORTS.find((known) => known === value) ?? "date";
  return { sort, order: sort === "date" || sort === "cards" ? "desc" : "asc" };
}
