import { Box, Button, Group, Text } from "@mantine/core";
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Tag } from "../Tag.tsx";
import { type DeviceKind, deviceOf } from "./device-messages.ts";
import styles from "./DeviceList.module.css";

const ICONS: Record<DeviceKind, typeof IconTerminal2> = {
  desktop: IconDeviceDesktop,
  phone: IconDeviceMobile,
  program: IconTerminal2,
};

/** A device on which a user is signed in. Times are in ISO 8601. */
type SignedInDevice = {
  id: string;
  userAgent: string | null;
  address: string | null;
  createdAt: string;
  lastSeenAt: string;
  isCurrent: boolean;
};

type DeviceListProps = {
  devices: readonly SignedInDevice[];
  formatTime: (at: string) => string;
  /** A device is being signed out. */
  isBusy: boolean;
  onEnd: (id: string) => void;
};

/** A user's signed-in devices. Each can be signed out, except the current one. */
export function DeviceList({ devices, formatTime, isBusy, onEnd }: DeviceListProps): ReactNode {
  return (
    <ul className={styles.list} aria-label="Signed-in devices">
      {devices.map((device) => {
        const { kind, message } = deviceOf(device.userAgent);
        const Icon = ICONS[kind];
        return (
          <Group component="li" key={device.id} gap="sm" wrap="nowrap" className={styles.entry ?? ""}>
            <Icon color="var(--sd-muted)" style={{ flex: "none" }} size={20} stroke={1.5} aria-hidden="true" />
            <Box flex={1} miw={0} style={{ overflowWrap: "anywhere" }}>
              <Group component="p" m={0} gap="2px 8px" fw={550}>
                {message}
                {device.isCurrent && (
                  <Tag tone="good" variant="small">
                    This browser
                  </Tag>
                )}
              </Group>
              <Text c="dimmed" fz="xs">
                {device.address ?? "Address unknown"} · since{" "}
                <time dateTime={device.createdAt}>{formatTime(device.createdAt)}</time>
              </Text>
              <Text c="dimmed" fz="xs">
                Last seen <time dateTime={device.lastSeenAt}>{formatTime(device.lastSeenAt)}</time>
              </Text>
            </Box>
            {!device.isCurrent && (
              <Button
                size="compact-sm"
                disabled={isBusy}
                aria-label={`Sign out ${message}, since ${formatTime(device.createdAt)}`}
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
