import { Button } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { listScanSessions } from "../../api/client.ts";
import { errorReference, errorWords } from "../../api/error-words.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { SectionHeading } from "../../ui/SectionHeading.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import classes from "./DashboardTab.module.css";
import { SessionList } from "./SessionList.tsx";

/** A running session's numbers move; they are asked for while one is in the list and the list is in view. */
const RUNNING_REFRESH_MS = 10_000;

/** The user's own sessions, newest first. */
export function DashboardTab({ isShown }: { isShown: boolean }): ReactNode {
  const list = useInfiniteQuery({
    queryKey: queryKeys.sessionList({}),
    queryFn: ({ pageParam }) => listScanSessions(pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: isShown,
    refetchInterval: ({ state }) =>
      isShown && state.data?.pages.some((page) => page.sessions.some(({ status }) => status === "processing")) === true
        ? RUNNING_REFRESH_MS
        : false,
  });
  const sessions = list.data?.pages.flatMap((page) => page.sessions) ?? [];

  return (
    <div className={classes.screen}>
      <SectionHeading level={1} title="Your Scan History" />
      <Panel padding="flush" aria-label="Scan sessions" aria-busy={list.isPending}>
        {list.isPending && <GhostRows count={6} rowHeight="4rem" label="Loading your scan sessions" />}
        {list.isError && (
          <div className={classes.problem}>
            <ErrorPanel
              message={errorWords(list.error)}
              reference={errorReference(list.error)}
              isRetrying={list.isFetching}
              onRetry={() => void list.refetch()}
            />
          </div>
        )}
        {list.isSuccess && sessions.length === 0 && (
          <EmptyState icon={<IconStack2 size={32} stroke={1.25} />} title="No scan sessions found">
            Process a sheet in the Scanner and its session is kept here.
          </EmptyState>
        )}
        {sessions.length > 0 && <SessionList sessions={sessions} />}
        {list.hasNextPage && (
          <div className={classes.more}>
            <Button onClick={() => void list.fetchNextPage()} loading={list.isFetchingNextPage}>
              Show older sessions
            </Button>
          </div>
        )}
      </Panel>
    </div>
  );
}
