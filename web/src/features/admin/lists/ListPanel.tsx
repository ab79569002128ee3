import { Box, Button, Group, NativeSelect } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { IconUsers } from "@tabler/icons-react";
import { type ComponentProps, type PropsWithChildren, type ReactNode, type Ref } from "react";
import type { Load } from "../../../api/errors.ts";
import { ADMIN_POLLING } from "../../../api/stats.ts";
import { DataTable, type DataTableProps } from "../../../ui/DataTable.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import styles from "./ListPanel.module.css";
import { adminUsersQuery } from "../../../api/users.ts";
import type { FilterProps } from "../admin-filter.ts";
import { nameOf } from "../users/user-messages.ts";
import quiet from "../../../ui/form/quiet.module.css";

/** Options of an admin list's query: it is polled, and shows the old rows until those of a new filter have loaded. */
export const LIST_QUERY = { ...ADMIN_POLLING, placeholderData: keepPreviousData };

export type LoadedList<Row> = {
  rows: readonly Row[];
  query: Load & { isPending: boolean; isLoadingError: boolean; isPlaceholderData: boolean };
  /** Null if all rows are shown. */
  showMore: (() => void) | null;
  isLoadingMore?: boolean;
  moreError?: unknown;
};

type ListPanelProps<Row> = Omit<DataTableProps<Row>, "rows" | "isOutdated"> & {
  ref?: Ref<HTMLElement>;
  title: string;
  hint?: string;
  filters: ReactNode;
  notice?: ReactNode;
  list: LoadedList<Row>;
  ghost: ComponentProps<typeof GhostRows>;
  /** Shown for an empty list; `action` clears its filter. */
  empty: { Icon: typeof IconUsers; title: string; message: string; action: { label: string; run: () => void } | null };
};

/** A list of the admin tab: its title and filters, and a table or what stands in for it. */
export function ListPanel<Row extends { id: string }>(props: ListPanelProps<Row>) {
  const { ref, title, hint, filters, notice, list, ghost, empty, ...table } = props;
  const { rows, query, showMore, isLoadingMore = false, moreError = null } = list;
  // While the rows of another filter load, the previous rows stay.
  const { isPending, isLoadingError, isPlaceholderData: isOutdated } = query;
  const isEmpty = rows.length === 0;
  return (
    <Panel ref={ref} style={{ overflow: "clip" }} aria-label={title} aria-busy={isPending || isOutdated}>
      <Group
        justify="space-between"
        gap="0.625rem 1rem"
        px="clamp(1rem, 2.6vw, 1.25rem)"
        py="0.6875rem"
        style={{ borderBottom: "1px solid var(--sd-line)" }}
      >
        <SectionHeading title={title} hint={hint} />
        {filters}
      </Group>
      {notice}
      {isEmpty && isPending && <GhostRows {...ghost} />}
      {isEmpty && isLoadingError && (
        <Box p="sm">
          <AdminLoadError query={query} />
        </Box>
      )}
      {isEmpty && !isPending && !isLoadingError && (
        <EmptyState
          icon={<empty.Icon size={32} stroke={1.25} />}
          title={empty.title}
          action={
            empty.action !== null && (
              <Button size="xs" onClick={empty.action.run}>
                {empty.action.label}
              </Button>
            )
          }
        >
          {empty.message}
        </EmptyState>
      )}
      {!isEmpty && <DataTable {...table} rows={rows} isOutdated={isOutdated} />}
      {showMore !== null && (
        <Box p="sm" style={{ borderTop: "1px solid var(--sd-line)" }}>
          {moreError === null ? (
            <Button size="xs" display="block" mx="auto" loading={isLoadingMore} onClick={showMore}>
              Show more
            </Button>
          ) : (
            <AdminLoadError query={{ error: moreError, isFetching: isLoadingMore, refetch: showMore }} />
          )}
        </Box>
      )}
    </Panel>
  );
}

export function ListFilters({ filter, onFilter, children }: PropsWithChildren<FilterProps>) {
  const { user, ...mark } = filter;
  const users = (useQuery(adminUsersQuery).data ?? [])
    .map((one) => ({ id: one.id, name: nameOf(one), email: one.email }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  const namesakes = Map.groupBy(users, ({ name }) => name);
  const choices = users.map(({ id, name, email }) => ({
    value: id,
    label: namesakes.get(name)?.length === 1 ? name : `${name} (${email})`,
  }));
  // The filter's user is a choice even before the user list has loaded.
  if (user !== undefined && !users.some(({ id }) => id === user.id))
    choices.unshift({ value: user.id, label: user.name });
  return (
    <Group gap="xs" className={`${styles.filters} ${quiet.quiet}`}>
      <NativeSelect
        size="xs"
        aria-label="Person"
        value={user?.id ?? ""}
        onChange={({ currentTarget }) => {
          const chosen = users.find(({ id }) => id === currentTarget.value);
          onFilter(chosen ? { ...mark, user: { id: chosen.id, name: chosen.name } } : mark);
        }}
        data={[{ value: "", label: "Everyone" }, ...choices]}
      />
      {children}
    </Group>
  );
}
