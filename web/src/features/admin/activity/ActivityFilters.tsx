import { activityTypeSchema } from "@slabdesk/contract/api/activity.ts";
import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { activityExportUrl } from "../../../api/activity.ts";
import { saveFrom } from "../../../ui/files/save-file.ts";
import type { FilterProps } from "../admin-filter.ts";
import { ListFilters } from "../lists/ListFilters.tsx";
import { activityQuery, daysOf, type LogChoice } from "./activity-filter.ts";
import { ACTIVITY_GROUPS } from "./activity-messages.ts";

type ActivityFiltersProps = FilterProps & { choice: LogChoice; onChoice: (choice: LogChoice) => void };

const TYPES = [
  { value: "", label: "Every action" },
  ...Object.entries(ACTIVITY_GROUPS).map(([group, labels]) => ({
    group,
    items: Object.entries(labels).map(([value, label]) => ({ value, label })),
  })),
];

export function ActivityFilters({ filter, onFilter, choice, onChoice }: ActivityFiltersProps) {
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
