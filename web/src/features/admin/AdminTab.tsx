import { Box, Button, Group, Tabs, Text, Title } from "@mantine/core";
import { IconRefresh, IconX } from "@tabler/icons-react";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { type QueryState, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { adminUsersQuery } from "../../api/users.ts";
import { ADMIN_LABELS, ADMIN_PARTS, type AdminPart, isAdminPart } from "../../place/place.ts";
import { goTo, usePlace } from "../../place/place-store.ts";
import { Boundary } from "../../ui/Boundary.tsx";
import { ActivityPanel } from "./activity/ActivityPanel.tsx";
import { AdminLoadError } from "./AdminLoadError.tsx";
import styles from "./AdminTab.module.css";
import { type AdminFilter, type AdminMarks, filterChips, type FilterProps } from "./admin-filter.ts";
import { OverviewPanel } from "./overview/OverviewPanel.tsx";
import { SessionsPanel } from "./sessions/SessionsPanel.tsx";
import { SourcesPanel } from "./sources/SourcesPanel.tsx";
import { UnencryptedNote } from "./StatusNotes.tsx";
import { nameOf } from "./users/user-messages.ts";
import { UsersPanel } from "./users/UsersPanel.tsx";
import { ADMIN_CACHE_MS } from "@slabdesk/contract/api/stats.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { useAction } from "../../api/use-action.ts";

type AdminTabProps = { profile: Profile; marks: AdminMarks; onMarks: (marks: AdminMarks) => void };

/** The admin tab: one sub-tab at a time, with a shared filter and data age. The sub-tabs are state, not pages. */
export function AdminTab({ profile, marks, onMarks }: AdminTabProps) {
  const { admin: tab = "overview", person } = usePlace().spots.admin;
  const user = usePerson(person);
  const filter = user === undefined ? marks : { ...marks, user };
  const show = (next: AdminPart): void => goTo("admin", { admin: next, person });
  const onFilter = ({ user: next, ...nextMarks }: AdminFilter): void => {
    onMarks(nextMarks);
    if (next?.id !== person) goTo("admin", { admin: tab, person: next?.id });
  };
  const lists = { filter, onFilter };
  const panels: Record<AdminPart, ReactNode> = {
    overview: <OverviewPanel {...lists} onShow={show} />,
    users: <UsersPanel ownId={profile.id} filter={filter} />,
    sessions: <SessionsPanel {...lists} />,
    activity: <ActivityPanel {...lists} />,
    sources: <SourcesPanel />,
  };

  return (
    // The padding below leaves room for the DEBUG BACKEND button at the lower left.
    <Tabs
      value={tab}
      onChange={(next) => isAdminPart(next) && show(next)}
      unstyled
      keepMounted={false}
      display="flex"
      mih="calc(100dvh - var(--sd-header-height))"
      p="0.875rem var(--sd-gutter) 3.5rem"
      style={{ flexDirection: "column", gap: "0.75rem" }}
    >
      <Group gap="0.5rem 1rem" mih={36}>
        <Title order={1} lts="-0.02em" className={styles.title ?? ""}>
          Admin
        </Title>
        <Tabs.List className={styles.tabs ?? ""} aria-label="Admin">
          {ADMIN_PARTS.map((name) => (
            <Tabs.Tab key={name} value={name} className={styles.tab ?? ""} style={{ outlineOffset: -2 }}>
              {ADMIN_LABELS[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tab !== "sources" && <FilterChips filter={filter} onFilter={onFilter} />}
        <Freshness />
      </Group>
      <UnencryptedNote />
      {ADMIN_PARTS.map((name) => (
        <Tabs.Panel key={name} value={name} flex={1} style={{ outlineOffset: 4 }}>
          <Boundary name={ADMIN_LABELS[name]}>{panels[name]}</Boundary>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The person that the place names, who may not be loaded yet. */
function usePerson(id: string | undefined): AdminFilter["user"] {
  const users = useQuery({ ...adminUsersQuery, enabled: id !== undefined }).data;
  if (id === undefined) return undefined;
  const user = users?.find((one) => one.id === id);
  return { id, name: user ? nameOf(user) : "One person" };
}

function FilterChips({ filter, onFilter }: FilterProps) {
  const chips = filterChips(filter);
  if (chips.length === 0) return null;
  return (
    <Group component="ul" gap={6} aria-label="Filter">
      {chips.map(({ label, rest }) => (
        <li key={label}>
          <Button
            size="compact-sm"
            radius="xl"
            variant="light"
            maw="16rem"
            rightSection={<IconX size={14} stroke={2} aria-hidden="true" />}
            aria-label={`Remove filter ${label}`}
            onClick={() => onFilter(rest)}
          >
            {label}
          </Button>
        </li>
      ))}
    </Group>
  );
}

/** Shows a failed refresh next to the data that is already loaded. */
function Freshness() {
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

/** The age of the visible data, whichever component fetched it. `isRefreshing`: because the user requested it. */
function useAdminFreshness() {
  const queryClient = useQueryClient();
  const subscribe = useCallback((notify: () => void) => queryClient.getQueryCache().subscribe(notify), [queryClient]);
  const loaded = (): QueryState[] => {
    const inView = queryClient.getQueryCache().findAll({ queryKey: queryKeys.admin(), type: "active" });
    return inView.map(({ state }) => state).filter(({ data }) => data !== undefined);
  };
  const oldest = useSyncExternalStore(subscribe, () => Math.min(...loaded().map((query) => query.dataUpdatedAt)));
  const failure = useSyncExternalStore(subscribe, () => loaded().find(({ error }) => error !== null)?.error ?? null);
  const [oldTime, setOldTime] = useState<number | null>(null);
  useEffect(() => {
    if (oldest === Infinity) return undefined;
    const timer = setTimeout(() => setOldTime(oldest), Math.max(0, oldest + ADMIN_CACHE_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [oldest]);
  const { run, isBusy } = useAction<void>({
    send: () => queryClient.refetchQueries({ queryKey: queryKeys.admin(), type: "active" }),
  });
  return { isStale: failure !== null || oldTime === oldest, failure, isRefreshing: isBusy, refresh: () => run() };
}
