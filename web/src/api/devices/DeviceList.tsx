import type { AuthSessionEntry } from "@slabdesk/contract/api/people.ts";
import { formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { Box, Button, Group, Text } from "@mantine/core";
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { endAuthSessions, listAuthSessions } from "../account.ts";
import { errorMessage } from "../errors.ts";
import { queryKeys } from "../query-keys.ts";
import { Tag } from "../../ui/Tag.tsx";
import { useAction } from "../use-action.ts";
import { type DeviceKind, deviceOf } from "./device-messages.ts";

const ICONS: Record<DeviceKind, typeof IconTerminal2> = {
  desktop: IconDeviceDesktop,
  phone: IconDeviceMobile,
  program: IconTerminal2,
};

type DeviceListProps = {
  devices: readonly AuthSessionEntry[];
  /** A device is being signed out. */
  isBusy: boolean;
  onEnd: (id: string) => void;
};

/** A user's signed-in devices. Each can be signed out, except the current one. */
export function DeviceList({ devices, isBusy, onEnd }: DeviceListProps) {
  return (
    <ul aria-label="Signed-in devices">
      {devices.map((device, index) => {
        const { kind, message } = deviceOf(device.userAgent);
        const since = formatRecent(device.createdAt);
        const Icon = ICONS[kind];
        const border = index === 0 ? {} : { borderTop: "1px solid var(--sd-line)" };
        return (
          <Group component="li" key={device.id} gap="sm" wrap="nowrap" py="0.625rem" style={border}>
            <Icon color="var(--sd-muted)" style={{ flex: "none" }} size={20} stroke={1.5} aria-hidden="true" />
            <Box flex={1} miw={0} style={{ overflowWrap: "anywhere" }}>
              <Group component="p" gap="2px 8px" fw={550}>
                {message}
                {device.isCurrent && (
                  <Tag tone="good" variant="small">
                    This browser
                  </Tag>
                )}
              </Group>
              <Text c="dimmed" fz="xs">
                {device.address ?? "Address unknown"} · since <time dateTime={device.createdAt}>{since}</time>
              </Text>
              <Text c="dimmed" fz="xs">
                Last seen <time dateTime={device.lastSeenAt}>{formatRecent(device.lastSeenAt)}</time>
              </Text>
            </Box>
            {!device.isCurrent && (
              <Button
                size="compact-sm"
                disabled={isBusy}
                aria-label={`Sign out ${message}, since ${since}`}
                onClick={() => onEnd(device.id)}
              >
                Sign out
              </Button>
            )}
          </Group>
        );
      })}
    </ul>
  );
}

/** A user's signed-in devices; without `userId`, the caller's own. `end` signs out one, or all but the current one. */
export function useAuthSessions(userId?: string) {
  const queryClient = useQueryClient();
  const queryKey = queryKeys.authSessions(userId);
  const list = useQuery({ queryKey, queryFn: ({ signal }) => listAuthSessions(userId, signal), staleTime: 0 });
  const end = useAction({
    send: (authSessionId: string | undefined) => endAuthSessions(userId, authSessionId),
    onDone: (left) => queryClient.setQueryData(queryKey, left),
    failure: (_, error) => ({ id: "auth-sessions", message: `Nobody was signed out. ${errorMessage(error)}` }),
    onFailed: () => void list.refetch(),
  });
  return { list, end };
}
