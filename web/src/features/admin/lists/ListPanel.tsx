import { Box, Button } from "@mantine/core";
import type { IconUsers } from "@tabler/icons-react";
import { type ComponentProps, type ReactNode, type Ref, useId } from "react";
import { DataTable } from "../../../ui/DataTable.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { SectionHeading } from "../../../ui/SectionHeading.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import type { Load } from "../../../api/error-messages.ts";
import { AdminLoadError } from "../AdminLoadError.tsx";
import styles from "./ListPanel.module.css";

/** The rows of a list that have loaded, and its query. */
export type LoadedList<Row> = {
  rows: readonly Row[];
  query: Load & { data: unknown; isPlaceholderData: boolean };
  /** Null if all rows are shown. */
  showMore: (() => void) | null;
  isLoadingMore?: boolean;
  /** Why loading more rows failed. */
  moreError?: unknown;
};

type ListPanelProps<Row extends { id: string }> = Pick<
  ComponentProps<typeof DataTable<Row>>,
  "label" | "className" | "columns" | "cards" | "markedId" | "listRef"
> & {
  ref?: Ref<HTMLElement>;
  title: string;
  hint?: string;
  /** Filters and buttons beside the title. */
  filters: ReactNode;
  /** Shown above the rows. */
  notice?: ReactNode;
  list: LoadedList<Row>;
  ghost: ComponentProps<typeof GhostRows>;
  /** Shown for an empty list; `action` clears its filter. */
  empty: { Icon: typeof IconUsers; title: string; message: string; action: { label: string; run: () => void } | null };
};

/** A list of the admin tab: its title and filters, and a table or what stands in for it. */
export function ListPanel<Row extends { id: string }>(props: ListPanelProps<Row>): ReactNode {
  const { ref, title, hint, filters, notice, list, ghost, empty, ...table } = props;
  const { rows, query, showMore, isLoadingMore = false, moreError = null } = list;
  const titleId = useId();
  const isLoaded = query.data !== undefined;
  const isFailed = !isLoaded && query.error !== null;
  // While the rows of another filter load, the previous rows stay.
  const isOutdated = query.isPlaceholderData;
  return (
    <Panel ref={ref} padding="flush" aria-labelledby={titleId} aria-busy={(!isLoaded && !isFailed) || isOutdated}>
      <div className={styles.head}>
        <SectionHeading id={titleId} title={title} hint={hint} />
        {filters}
      </div>
      {notice}
      <DataTable
        {...table}
        rows={rows}
        isOutdated={isOutdated}
        onShowMore={showMore}
        isLoadingMore={isLoadingMore}
        problem={
          moreError !== null &&
          showMore !== null && (
            <Box p="sm">
              <AdminLoadError query={{ error: moreError, isFetching: isLoadingMore, refetch: showMore }} />
            </Box>
          )
        }
        placeholder={
          isFailed ? (
            <Box p="sm">
              <AdminLoadError query={query} />
            </Box>
          ) : isLoaded ? (
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
          ) : (
            <GhostRows {...ghost} />
          )
        }
      />
    </Panel>
  );
}
