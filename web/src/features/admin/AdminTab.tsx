import { Button, Tabs } from "@mantine/core";
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
import { useAdminFreshness } from "./use-admin-freshness.ts";
import { UsersPanel } from "./users/UsersPanel.tsx";

/** The admin sub-tabs, plus sources. They are state, not URLs. */
const ADMIN_TABS = ["overview", "users", "sessions", "activity", "sources"] as const;
type AdminTabName = (typeof ADMIN_TABS)[number];
const DESK_TAB_LABELS: Record<AdminTabName, string> = {
  overview: "Overview",
  users: "Users",
  sessions: "Sessions",
  activity: "Activity",
  sources: "Sources",
};

/** The open admin sub-tab and the filter of its lists. */
export type AdminTabState = { tab: AdminTabName; filter: AdminFilter };

function isAdminTabName(value: string | null): value is AdminTabName {
  return ADMIN_TABS.some((name) => name === value);
}

type AdminTabProps = { profile: Profile; view: AdminTabState; onView: (view: AdminTabState) => void };

/** The admin tab: one sub-tab at a time, with a shared filter and data age. */
export function AdminTab({ profile, view, onView }: AdminTabProps): ReactNode {
  const { tab, filter } = view;
  const show = (next: AdminTabName): void => onView({ tab: next, filter });
  const setFilter = (next: AdminFilter): void => onView({ tab, filter: next });

  return (
    <Tabs
      value={tab}
      onChange={(next) => isAdminTabName(next) && show(next)}
      unstyled
      keepMounted={false}
      className={styles.admin ?? ""}
    >
      <div className={styles.head}>
        <h1 className={styles.title}>Admin</h1>
        <Tabs.List className={styles.tabs ?? ""} aria-label="Admin">
          {ADMIN_TABS.map((name) => (
            <Tabs.Tab key={name} value={name} className={styles.tab ?? ""}>
              {DESK_TAB_LABELS[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tab !== "sources" && <FilterChips filter={filter} onFilter={setFilter} />}
        <Freshness />
      </div>
      <Tabs.Panel value="overview" className={styles.panel ?? ""}>
        <OverviewPanel filter={filter} onFilter={setFilter} onShow={show} />
      </Tabs.Panel>
      <Tabs.Panel value="users" className={styles.panel ?? ""}>
        <UsersPanel ownId={profile.id} filter={filter} />
      </Tabs.Panel>
      <Tabs.Panel value="sessions" className={styles.panel ?? ""}>
        <SessionsPanel filter={filter} onFilter={setFilter} />
      </Tabs.Panel>
      <Tabs.Panel value="activity" className={styles.panel ?? ""}>
        <ActivityPanel filter={filter} onFilter={setFilter} />
      </Tabs.Panel>
      <Tabs.Panel value="sources" className={styles.panel ?? ""}>
        <SourcesPanel />
      </Tabs.Panel>
    </Tabs>
  );
}

/** Shows a failed refresh next to the data that is already loaded. */
function Freshness(): ReactNode {
  const { isStale, failure, isRefreshing, refresh } = useAdminFreshness();
  return (
    <>
      <div className={styles.freshness}>
        <output className={styles.stale}>{isStale && "Data may be stale"}</output>
        <Button
          className={styles.refresh ?? ""}
          size="compact-md"
          leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden="true" />}
          loading={isRefreshing}
          onClick={refresh}
        >
          Refresh Data
        </Button>
      </div>
      {failure !== null && (
        <div className={styles.failure}>
          <AdminLoadError error={failure} isRetrying={isRefreshing} onRetry={refresh} />
        </div>
      )}
    </>
  );
}
