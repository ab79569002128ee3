import { formatExactMoment, formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { Box, Button, Group } from "@mantine/core";
import { IconChevronDown, IconHistory } from "@tabler/icons-react";
import { useId, useState } from "react";
import type { ActivityEntry } from "../../../api/activity.ts";
import { PersonLink, SessionLink } from "../../../place/PlaceLink.tsx";
import type { FilterProps } from "../admin-filter.ts";
import { type DataColumns, ListPanel } from "../lists/ListPanel.tsx";
import { nameOf } from "../users/user-messages.ts";
import { activityQuery, EVERYTHING } from "./activity-filter.ts";
import { ACTIVITY_LABELS, metadataLines } from "./activity-messages.ts";
import styles from "./activity.module.css";
import { ActivityFilters } from "./ActivityFilters.tsx";
import { useActivityLog } from "./use-activity-log.ts";

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
