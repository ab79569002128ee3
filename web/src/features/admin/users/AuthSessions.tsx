import { Button, Stack, Text } from "@mantine/core";
import { IconDoorExit } from "@tabler/icons-react";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { DeviceList, useAuthSessions } from "../../../run/devices/DeviceList.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import { nameOf } from "./user-messages.ts";

export function AuthSessions({ user }: { user: Profile }) {
  const { list, end } = useAuthSessions(user.id);
  const authSessions = list.data;
  if (list.isLoadingError) return <AdminLoadError query={list} />;
  if (authSessions === undefined) return <GhostRows count={3} rowHeight="4rem" label="Loading devices" />;
  if (authSessions.length === 0)
    return (
      <EmptyState icon={<IconDoorExit size={32} stroke={1.25} />} title={`${nameOf(user)} is signed in nowhere.`} />
    );
  const hasOwn = authSessions.some(({ isCurrent }) => isCurrent);
  return (
    <Stack gap="sm">
      <Text c="dimmed" fz="sm">
        Signing out takes effect immediately. Runs continue.
      </Text>
      <DeviceList devices={authSessions} isBusy={end.isBusy} onEnd={end.run} />
      <Button
        color="bad"
        disabled={end.isBusy || authSessions.every(({ isCurrent }) => isCurrent)}
        onClick={() => end.run(undefined)}
      >
        {hasOwn ? "Sign out everywhere else" : "Sign out everywhere"}
      </Button>
    </Stack>
  );
}
