import type { ActivityFilter } from "@slabdesk/contract/api/activity.ts";
import { Button, NativeSelect } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { activityExportUrl } from "../../../api/activity.ts";
import { saveFrom } from "../../../ui/files/save-file.ts";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import type { AdminFilter } from "../admin-filter.ts";
import { daysOf, type LogChoice, parseActivityType } from "./activity-filter.ts";
import { ACTIVITY_GROUPS, ACTIVITY_LABELS } from "./activity-messages.ts";
import { DayInput } from "./DayInput.tsx";
import { PersonSelect, withUser } from "./PersonSelect.tsx";
import styles from "./tools.module.css";

type ActivityToolsProps = {
  filter: AdminFilter;
  onFilter: (filter: AdminFilter) => void;
  choice: LogChoice;
  onChoice: (choice: LogChoice) => void;
  /** The filter for both the list and the download. */
  query: ActivityFilter;
};

const TYPES = [
  { value: "", label: "Every action" },
  ...ACTIVITY_GROUPS.map(({ group, types }) => ({
    group,
    items: types.map((type) => ({ value: type, label: ACTIVITY_LABELS[type] })),
  })),
];

/** Filters by user, type, and day, and the CSV download. */
export function ActivityTools({ filter, onFilter, choice, onChoice, query }: ActivityToolsProps): ReactNode {
  const days = daysOf(filter, choice);
  const setDays = (change: Partial<typeof days>): void => {
    const { day: _, ...rest } = filter;
    onChoice({ ...choice, ...days, ...change });
    if (filter.day !== undefined) onFilter(rest);
  };
  const isMarkOfCards = filter.company !== undefined || filter.outcome !== undefined;
  return (
    <div className={styles.head}>
      <SectionHeading
        id="admin-activity"
        title="Activity"
        hint={
          isMarkOfCards
            ? "By the person and the day of the filter: activity knows no company and no cause"
            : "Newest first; days are counted in UTC"
        }
      />
      <div className={styles.tools}>
        <PersonSelect user={filter.user} onUser={(user) => onFilter(withUser(filter, user))} />
        <NativeSelect
          size="xs"
          aria-label="Action"
          data={TYPES}
          value={choice.type ?? ""}
          onChange={({ currentTarget }) => onChoice({ ...choice, type: parseActivityType(currentTarget.value) })}
        />
        <DayInput label="From" day={days.from} onDay={(from) => setDays({ from })} />
        <DayInput label="To" day={days.to} onDay={(to) => setDays({ to })} />
        <Button
          size="xs"
          leftSection={<IconDownload size={15} stroke={1.75} aria-hidden="true" />}
          onClick={() => saveFrom(activityExportUrl(query))}
        >
          Download CSV
        </Button>
      </div>
    </div>
  );
}
