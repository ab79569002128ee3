import { formatExactMoment, formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { Box, Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { IconChevronDown, IconDownload, IconHistory } from "@tabler/icons-react";
import { useId, useState } from "react";
import { type ActivityEntry, activityExportUrl, type ActivityList, listActivity } from "../../../api/activity.ts";
import { PersonLink, SessionLink } from "../../../place/PlaceLink.tsx";
import type { AdminFilter, FilterProps } from "../admin-filter.ts";
import { LIST_QUERY, ListFilters, ListPanel } from "../lists/ListPanel.tsx";
import { nameOf } from "../users/user-messages.ts";
import { ACTIVITY_GROUPS, ACTIVITY_LABELS, metadataLines, newsMessage } from "./activity-messages.ts";
import styles from "./activity.module.css";
import { type ActivityFilter, type ActivityType, activityTypeSchema } from "@slabdesk/contract/api/activity.ts";
import { saveFrom } from "../../../ui/files/save-file.ts";
import type { DataColumns } from "../../../ui/DataTable.tsx";
import { useInfiniteQuery, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { queryKeys } from "../../../api/query-keys.ts";

/** The activity log: who did what and when, 100 entries per page, filtered by user, type, and day. */
export function ActivityPanel({ filter, onFilter }: FilterProps) {
  const [choice, setChoice] = useState(EVERYTHING);
  const query = activityQuery(filter, choice);
  const { news, showNews, ...list } = useActivityLog(query);
  const clear = (): void => {
    setChoice(EVERYTHING);
    onFilter({});
  };
  const isFiltered = Object.keys(query).length > 0;
  const isMarkOfCards = filter.company !== undefined || filter.outcome !== undefined;
  return (
    <ListPanel
      title="Activity"
      hint={
        isMarkOfCards
          ? "Filtered by user and day only: activity has no company or cause"
          : "Newest first. Days are in UTC"
      }
      filters={<ActivityFilters filter={filter} onFilter={onFilter} choice={choice} onChoice={setChoice} />}
      notice={
        <output className={styles.news}>
          {news !== null && (
            <Button size="compact-sm" variant="filled" radius="xl" onClick={showNews}>
              Show {news}
            </Button>
          )}
        </output>
      }
      classes={styles}
      columns={COLUMNS}
      cards={{ upTo: "48em", template: `"action action" "user time" "what what" / fit-content(60%) minmax(0, 1fr)` }}
      list={list}
      ghost={{ count: 12, rowHeight: "2.75rem", label: "Loading the activity" }}
      empty={{
        Icon: IconHistory,
        title: "No activity found",
        message: isFiltered ? "No activity matches the filter." : "Activity appears here as it happens.",
        action: isFiltered ? { label: "Show all activity", run: clear } : null,
      }}
    />
  );
}

const COLUMNS: DataColumns<ActivityEntry> = {
  time: {
    header: "Time",
    style: { width: "12.5rem" },
    cellStyle: { color: "var(--sd-neutral)", whiteSpace: "nowrap" },
    cardStyle: { color: "var(--sd-muted)" },
    cell: ({ timestamp }) => (
      <time dateTime={timestamp} title={formatExactMoment(timestamp)}>
        {formatRecent(timestamp)}
      </time>
    ),
  },
  user: {
    header: "User",
    style: { width: "16%" },
    cellStyle: { overflow: "hidden", fontWeight: 550, textOverflow: "ellipsis", whiteSpace: "nowrap" },
    cardStyle: { overflow: "hidden", color: "var(--sd-muted)", textOverflow: "ellipsis" },
    title: ({ user }) => user.email,
    cell: ({ userId, user }) => <PersonLink id={userId}>{nameOf(user)}</PersonLink>,
  },
  action: {
    header: "Action",
    style: { width: "24%" },
    cellStyle: { overflowWrap: "anywhere" },
    cardStyle: { fontWeight: 600, fontSize: "0.875rem" },
    cell: ({ activityType }) => (
      <>
        {ACTIVITY_LABELS[activityType]}
        <code>{activityType}</code>
      </>
    ),
  },
  what: { header: "Details", cardStyle: { marginTop: "0.125rem" }, cell: (entry) => <EntryMore entry={entry} /> },
};

function EntryMore({ entry }: { entry: ActivityEntry }) {
  const [isOpen, setIsOpen] = useState(false);
  const listId = useId();
  const lines = metadataLines(entry.metadata);
  return (
    <>
      <Group gap="sm" align="flex-start" justify="space-between" wrap="nowrap">
        <Box component="span" miw={0} style={{ overflowWrap: "anywhere" }}>
          <EntryLink entry={entry} />
        </Box>
        {lines.length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            c="var(--sd-accent)"
            className={styles.toggle}
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-label={`${isOpen ? "Less" : "More"} about: ${ACTIVITY_LABELS[entry.activityType]}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? "Less" : "More"}
            <IconChevronDown size={14} stroke={2} aria-hidden="true" />
          </Button>
        )}
      </Group>
      {lines.length > 0 && (
        <dl id={listId} className={styles.metadata} hidden={!isOpen}>
          {lines.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** An entry's description, as a link to the session or else the person that it is about. */
export function EntryLink({ entry: { activityType, description, metadata } }: { entry: ActivityEntry }) {
  const { sessionId, userId, ownerId } = metadata;
  if (typeof sessionId === "string" && activityType !== "session_deleted")
    return <SessionLink id={sessionId}>{description}</SessionLink>;
  const person = userId ?? ownerId;
  return typeof person === "string" ? <PersonLink id={person}>{description}</PersonLink> : description;
}

type ActivityFiltersProps = FilterProps & { choice: LogChoice; onChoice: (choice: LogChoice) => void };

const TYPES = [
  { value: "", label: "Every action" },
  ...Object.entries(ACTIVITY_GROUPS).map(([group, labels]) => ({
    group,
    items: Object.entries(labels).map(([value, label]) => ({ value, label })),
  })),
];

function ActivityFilters({ filter, onFilter, choice, onChoice }: ActivityFiltersProps) {
  const days = daysOf(filter, choice);
  const setDays = (change: Partial<typeof days>): void => {
    const { day: _, ...rest } = filter;
    onChoice({ ...choice, ...days, ...change });
    if (filter.day !== undefined) onFilter(rest);
  };
  return (
    <ListFilters filter={filter} onFilter={onFilter}>
      <NativeSelect
        size="xs"
        aria-label="Action"
        data={TYPES}
        value={choice.type ?? ""}
        onChange={(event) =>
          onChoice({ ...choice, type: activityTypeSchema.safeParse(event.currentTarget.value).data })
        }
      />
      <DayInput label="From" day={days.from} onDay={(from) => setDays({ from })} />
      <DayInput label="To" day={days.to} onDay={(to) => setDays({ to })} />
      <Button
        size="xs"
        leftSection={<IconDownload size={15} stroke={1.75} aria-hidden="true" />}
        onClick={() => saveFrom(activityExportUrl(activityQuery(filter, choice)))}
      >
        Download CSV
      </Button>
    </ListFilters>
  );
}

/** A date input. Keeps partial input, because typing a year passes through 0002 and 0020. */
function DayInput({ label, day, onDay }: { label: string; day: string; onDay: (day: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Group component="label" gap={6} wrap="nowrap" c="dimmed" fz="sm">
      {label}
      <TextInput
        flex={1}
        miw={0}
        type="date"
        size="xs"
        min="2000-01-01"
        max="2099-12-31"
        value={typed ?? day}
        onChange={({ currentTarget: { value, validity } }) => {
          setTyped(value);
          if (validity.valid) onDay(value);
        }}
        onBlur={() => setTyped(null)}
      />
    </Group>
  );
}

/**
 * The activity log, newest first. The first page is polled, but the list doesn't change until the user requests the new
 * entries. Older pages never change and load on request.
 */
function useActivityLog(filter: ActivityFilter) {
  const newest = useQuery({
    ...LIST_QUERY,
    queryKey: queryKeys.activityLog(filter),
    queryFn: ({ signal }) => listActivity(filter, signal),
  });
  const { first, latest, hold } = useHeldPage(JSON.stringify(filter), newest);
  const older = useInfiniteQuery({
    queryKey: ["older-activity", filter, first?.nextCursor ?? null],
    queryFn: ({ pageParam, signal }) => listActivity({ ...filter, cursor: pageParam }, signal),
    initialPageParam: first?.nextCursor ?? "0",
    getNextPageParam: (page) => page.nextCursor,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const hasMore = older.data === undefined ? (first?.nextCursor ?? null) !== null : older.hasNextPage;
  return {
    rows: [first, ...(older.data?.pages ?? [])].flatMap((page) => page?.activity ?? []),
    query: newest,
    /** How many new entries are held back, so that the visible list doesn't move; null if none. */
    news: first === undefined || latest === null ? null : newsMessage(first, latest),
    showNews: hold,
    showMore: hasMore && !newest.isPlaceholderData ? () => void older.fetchNextPage() : null,
    isLoadingMore: older.isFetching,
    moreError: older.error,
  };
}

/** Keeps the first page as first shown. Refetches a stale cached page before keeping it. */
function useHeldPage(key: string, { data, isFetching, isPlaceholderData }: UseQueryResult<ActivityList>) {
  const [held, setHeld] = useState<{ key: string; list: ActivityList } | null>(null);
  const isHeld = held?.key === key;
  if (!isHeld && data !== undefined && !isFetching && !isPlaceholderData) setHeld({ key, list: data });
  return {
    first: isHeld ? held.list : data,
    latest: isHeld && data !== undefined && !isPlaceholderData ? data : null,
    hold: () => data && setHeld({ key, list: data }),
  };
}

/** Activity filters beyond the shared admin filter. Days are UTC, as YYYY-MM-DD; "" means unbounded. */
export type LogChoice = { type?: ActivityType | undefined; from: string; to: string };

export const EVERYTHING: LogChoice = { from: "", to: "" };

function daysOf({ day }: AdminFilter, { from, to }: LogChoice): { from: string; to: string } {
  return day === undefined ? { from, to } : { from: day, to: day };
}

/** Builds the server query. Swaps the dates of a reversed range. */
export function activityQuery(filter: AdminFilter, choice: LogChoice): ActivityFilter {
  const { from, to } = daysOf(filter, choice);
  const [first, last] = from !== "" && to !== "" && to < from ? [to, from] : [from, to];
  return {
    ...(filter.user && { userId: filter.user.id }),
    ...(choice.type && { type: choice.type }),
    ...(first && { from: first }),
    ...(last && { to: last }),
  };
}
