import "./shell-styles.ts";
import { Box, Tabs, Text } from "@mantine/core";
import { useDidUpdate } from "@mantine/hooks";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useState } from "react";
import { getProfile } from "../api/account.ts";
import { logActivity } from "../api/activity.ts";
import { queryKeys } from "../api/query-keys.ts";
import { statusQuery } from "../api/status.ts";
import type { AdminMarks } from "../features/admin/admin-filter.ts";
import { DebugBackend } from "../features/debug/DebugBackend.tsx";
import { ScannerTab } from "../features/scanner/ScannerTab.tsx";
import { isTabName, TAB_LABELS } from "../place/place.ts";
import { goTo, usePlace } from "../place/place-store.ts";
import { AccessDenied } from "../place/AccessDenied.tsx";
import { Boundary } from "../ui/Boundary.tsx";
import { lazyPart, useEver, usePreload } from "../ui/lazy-part.tsx";
import { Footer } from "./Brand.tsx";
import { takeFirstAccess } from "./browser-storage.ts";
import { Header } from "./Header.tsx";
import styles from "./Shell.module.css";

const DashboardTab = lazyPart(async () => (await import("../features/dashboard/DashboardTab.tsx")).DashboardTab);
const AdminTab = lazyPart(async () => (await import("../features/admin/AdminTab.tsx")).AdminTab);

const Dialogs = lazyPart(async () => (await import("./Dialogs.tsx")).Dialogs);
const PARTS = [DashboardTab];

/** How often the header's totals refresh during a run. They are exact again when it ends. */
const TOTALS_REFRESH_MS = 3_000;
/** How often the page checks for a sign-out or a role change. */
const PROFILE_REFRESH_MS = 60_000;

type ShellProps = {
  /** The profile that passed the session gate; kept current from here on. */
  admittedProfile: Profile;
  onLogout: () => Promise<void>;
};

/** The app for a signed-in user: header, one tab at a time, footer. */
export function Shell({ admittedProfile, onLogout }: ShellProps) {
  const queryClient = useQueryClient();
  const { tab } = usePlace();
  const [isRunning, setIsRunning] = useState(false);
  // Kept here so that the admin tab fetches nothing while hidden and restores its filter when shown again.
  const [adminMarks, setAdminMarks] = useState<AdminMarks>({});
  const profile = useQuery({
    queryKey: queryKeys.profile(),
    queryFn: getProfile,
    initialData: admittedProfile,
    staleTime: Infinity,
    refetchInterval: isRunning ? TOTALS_REFRESH_MS : PROFILE_REFRESH_MS,
    refetchOnWindowFocus: "always",
  }).data;
  const status = useQuery(statusQuery).data ?? null;
  const isDemo = status?.upstreams === "demo";
  const hasSeenDashboard = useEver(tab === "dashboard");

  usePreload(PARTS);

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

  // However the tab was opened: by its button, a link, a shortcut, or Back.
  useDidUpdate(() => {
    const description = `Navigated to ${TAB_LABELS[tab]}`;
    void logActivity({ activityType: "navigation", description, metadata: { tab } });
    // The totals agree with the sessions that the tab shows.
    void queryClient.invalidateQueries({ queryKey: queryKeys.profile() });
  }, [tab, queryClient]);

  return (
    <Tabs
      value={tab}
      onChange={(next) => isTabName(next) && goTo(next)}
      unstyled
      keepMountedMode="display-none"
      className={styles.shell ?? ""}
      styles={{ panel: { outlineOffset: -2 } }}
    >
      <Header profile={profile} isDemo={isDemo} onLogout={onLogout} />
      <Box component="main" flex={1} miw={0}>
        <Tabs.Panel value="scanner">
          <Boundary name="The Scanner">
            <ScannerTab profile={profile} status={status} onRunChanged={onRunChanged} />
          </Boundary>
        </Tabs.Panel>
        <Tabs.Panel value="dashboard">
          <Boundary name="The Dashboard" loading={<Text p="lg">Loading…</Text>}>
            {hasSeenDashboard && <DashboardTab isShown={tab === "dashboard"} profile={profile} />}
          </Boundary>
        </Tabs.Panel>
        <Tabs.Panel value="admin">
          {tab === "admin" && profile.role !== "admin" && <AccessDenied>This part is for administrators.</AccessDenied>}
          {tab === "admin" && profile.role === "admin" && (
            <Boundary name="Admin" loading={<Text p="lg">Loading…</Text>}>
              <AdminTab profile={profile} marks={adminMarks} onMarks={setAdminMarks} />
            </Boundary>
          )}
        </Tabs.Panel>
      </Box>
      <Footer isDemo={isDemo} />
      <DebugBackend isFloating={tab !== "admin"} />
      <Suspense fallback={null}>
        <Dialogs />
      </Suspense>
    </Tabs>
  );
}
