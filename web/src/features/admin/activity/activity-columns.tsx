import { formatExactMoment, formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { Box, Group, UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import type { ActivityEntry } from "../../../api/activity.ts";
import type { DataColumn } from "../../../ui/DataTable.tsx";
import { PersonLink } from "../../../place/PlaceLink.tsx";
import { EntryLink } from "./EntryLink.tsx";
import styles from "./activity.module.css";
import { ACTIVITY_LABELS, metadataLines } from "./activity-messages.ts";

export const ACTIVITY_COLUMNS: readonly DataColumn<ActivityEntry>[] = [
  {
    header: "Time",
    className: styles.time,
    cell: ({ timestamp }) => (
      <time dateTime={timestamp} title={formatExactMoment(timestamp)}>
        {formatRecent(timestamp)}
      </time>
    ),
  },
  {
    header: "User",
    className: styles.user,
    title: ({ user }) => user.email,
    cell: ({ userId, user }) => <PersonLink id={userId}>{user.fullName || user.email}</PersonLink>,
  },
  {
    header: "Action",
    className: styles.action,
    cell: ({ activityType }) => (
      <>
        {ACTIVITY_LABELS[activityType]}
        <code>{activityType}</code>
      </>
    ),
  },
  { header: "Details", className: styles.what, cell: (entry) => <EntryMore entry={entry} /> },
];

/** An entry's details, expanded on request. */
function EntryMore({ entry }: { entry: ActivityEntry }): ReactNode {
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
          <UnstyledButton
            className={styles.toggle ?? ""}
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-label={`${isOpen ? "Less" : "More"} about: ${ACTIVITY_LABELS[entry.activityType]}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? "Less" : "More"}
            <IconChevronDown size={14} stroke={2} aria-hidden="true" />
          </UnstyledButton>
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
