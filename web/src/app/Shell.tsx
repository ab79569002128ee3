import { Tabs } from "@mantine/core";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { getProfile, logActivity } from "../api/client.ts";
import { queryKeys } from "../api/query-keys.ts";
import { DashboardTab } from "../features/dashboard/DashboardTab.tsx";
import { DebugBackend } from "../features/debug/DebugBackend.tsx";
import { ScannerTab } from "../features/scanner/ScannerTab.tsx";
import { Footer } from "./Brand.tsx";
import { takeFirstAccess } from "./browser-memory.ts";
import { Header } from "./Header.tsx";
import classes from "./Shell.module.css";
import { isTabName, TAB_LABELS, type TabName } from "./tab-names.ts";

/** The header's totals follow a run at this distance; they are exact again at its end. */
const TOTALS_REFRESH_MS = 3_000;

type ShellProps = {
  /** The profile that came through the gate; kept up to date from here on. */
  admittedProfile: Profile;
  status: Status | null;
  onLogout: () => Promise<void>;
};

/** The product for a signed-in user: header, one tab at a time, footer. */
export function Shell({ admittedProfile, status, onLogout }: ShellProps): ReactNode {
  const queryClient = useQueryClient();
  const [tab, setTab] = useState<TabName>("scanner");
  const [hasSeenDashboard, setHasSeenDashboard] = useState(false);
  const [isRunning, setIsRunning] = useState(false);
  const profile = useQuery({
    queryKey: queryKeys.profile(),
    queryFn: getProfile,
    initialData: admittedProfile,
    staleTime: Infinity,
    refetchInterval: isRunning ? TOTALS_REFRESH_MS : false,
  }).data;

  useEffect(() => {
    if (takeFirstAccess())
      void logActivity({ activityType: "app_access", description: "User accessed the application" });
  }, []);

  const onRunChanged = useCallback(
    (isRunningNow: boolean) => {
      setIsRunning(isRunningNow);
      void queryClient.invalidateQueries({ queryKey: queryKeys.profile() });
      void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
    },
    [queryClient],
  );

  function open(next: string | null): void {
    if (!isTabName(next) || next === tab) return;
    setTab(next);
    if (next === "dashboard") setHasSeenDashboard(true);
    void logActivity({
      activityType: "navigation",
      description: `Navigated to ${TAB_LABELS[next]}`,
      metadata: { tab: next },
    });
  }

  return (
    <Tabs value={tab} onChange={open} unstyled keepMountedMode="display-none" className={classes.shell ?? ""}>
      <Header profile={profile} isDemo={status?.upstreams === "demo"} onLogout={onLogout} />
      <main className={classes.main}>
        <Tabs.Panel value="scanner" className={classes.panel ?? ""}>
          <ScannerTab profile={profile} status={status} onRunChanged={onRunChanged} />
        </Tabs.Panel>
        <Tabs.Panel value="dashboard" className={classes.panel ?? ""}>
          {hasSeenDashboard && <DashboardTab isShown={tab === "dashboard"} profile={profile} status={status} />}
        </Tabs.Panel>
      </main>
      <Footer />
      <DebugBackend />
    </Tabs>
  );
}
