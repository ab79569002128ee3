import { Box, Button, Group, Tabs, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { ReactNode } from "react";
import { ActivityPanel } from "./activity/ActivityPanel.tsx";
import { AdminLoadError } from "./AdminLoadError.tsx";
import styles from "./AdminTab.module.css";
import type { AdminFilter } from "./admin-filter.ts";
import { FilterChips } from "./FilterChips.tsx";
import { OverviewPanel } from "./overview/OverviewPanel.tsx";
import { SessionsPanel } from "./sessions/SessionsPanel.tsx";
import { SourcesPanel } from "./sources/SourcesPanel.tsx";
import { UnencryptedNote } from "./UnencryptedNote.tsx";
import { useAdminFreshness } from "./use-admin-freshness.ts";
import { UsersPanel } from "./users/UsersPanel.tsx";

type AdminTabName = "overview" | "users" | "sessions" | "activity" | "sources";

/** The open admin sub-tab and the filter of its lists. */
export type AdminTabState = { tab: AdminTabName; filter: AdminFilter };

type AdminTabProps = { profile: Profile; view: AdminTabState; onView: (view: AdminTabState) => void };

/** The admin tab: one sub-tab at a time, with a shared filter and data age. The sub-tabs are state, not URLs. */
export function AdminTab({ profile, view, onView }: AdminTabProps): ReactNode {
  const { tab, filter } = view;
  const show = (next: AdminTabName): void => onView({ tab: next, filter });
  const onFilter = (next: AdminFilter): void => onView({ tab, filter: next });
  const lists = { filter, onFilter };
  const tabs: { name: AdminTabName; label: string; panel: ReactNode }[] = [
    { name: "overview", label: "Overview", panel: <OverviewPanel {...lists} onShow={show} /> },
    { name: "users", label: "Users", panel: <UsersPanel ownId={profile.id} filter={filter} /> },
    { name: "sessions", label: "Sessions", panel: <SessionsPanel {...lists} /> },
    { name: "activity", label: "Activity", panel: <ActivityPanel {...lists} /> },
    { name: "sources", label: "Sources", panel: <SourcesPanel /> },
  ];

  return (
    <Tabs
      value={tab}
      onChange={(next) => {
        const chosen = tabs.find(({ name }) => name === next);
        if (chosen) show(chosen.name);
      }}
      unstyled
      keepMounted={false}
      className={styles.admin ?? ""}
    >
      <Group gap="0.5rem 1rem" mih={36}>
        <h1 className={styles.title}>Admin</h1>
        <Tabs.List className={styles.tabs ?? ""} aria-label="Admin">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name} className={styles.tab ?? ""}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tab !== "sources" && <FilterChips filter={filter} onFilter={onFilter} />}
        <Freshness />
      </Group>
      <UnencryptedNote />
      {tabs.map(({ name, panel }) => (
        <Tabs.Panel key={name} value={name} className={styles.panel ?? ""}>
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Shows a failed refresh next to the data that is already loaded. */
function Freshness(): ReactNode {
  const { isStale, failure, isRefreshing, refresh } = useAdminFreshness();
  return (
    <>
      <Group gap="sm" ml="auto" wrap="nowrap" className={styles.freshness ?? ""}>
        <Text component="output" c="var(--sd-warn)" fw={500} fz="sm">
          {isStale && "Data may be stale"}
        </Text>
        <Button
          fz="sm"
          size="compact-md"
          leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden="true" />}
          loading={isRefreshing}
          onClick={refresh}
        >
          Refresh Data
        </Button>
      </Group>
      {failure !== null && (
        <Box flex="0 1 100%">
          <AdminLoadError query={{ error: failure, isFetching: isRefreshing, refetch: refresh }} />
        </Box>
      )}
    </>
  );
}
