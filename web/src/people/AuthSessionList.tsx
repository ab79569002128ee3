import { Box, Button, Group, Text } from "@mantine/core";
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from "@tabler/icons-react";
import type { AuthSessionEntry } from "@slabdesk/contract/api/people.ts";
import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import type { ReactNode } from "react";
import { Tag } from "../ui/Tag.tsx";
import { type DeviceKind, deviceOf } from "./device-messages.ts";
import styles from "./AuthSessionList.module.css";

const ICONS: Record<DeviceKind, typeof IconTerminal2> = {
  desktop: IconDeviceDesktop,
  phone: IconDeviceMobile,
  program: IconTerminal2,
};

type AuthSessionListProps = {
  authSessions: readonly AuthSessionEntry[];
  /** An auth session is being ended. */
  isBusy: boolean;
  onEnd: (authSession: AuthSessionEntry) => void;
};

/** A user's auth sessions. Each can be ended, except the current one. */
export function AuthSessionList({ authSessions, isBusy, onEnd }: AuthSessionListProps): ReactNode {
  return (
    <ul className={styles.list} aria-label="Sign-ins">
      {authSessions.map((authSession) => {
        const { kind, message } = deviceOf(authSession.userAgent);
        const Icon = ICONS[kind];
        return (
          <Group component="li" key={authSession.id} gap="sm" wrap="nowrap" className={styles.entry ?? ""}>
            <Icon color="var(--sd-muted)" style={{ flex: "none" }} size={20} stroke={1.5} aria-hidden="true" />
            <Box flex={1} miw={0} style={{ overflowWrap: "anywhere" }}>
              <Group component="p" m={0} gap="2px 8px" fw={550}>
                {message}
                {authSession.isCurrent && (
                  <Tag tone="good" variant="small">
                    This browser
                  </Tag>
                )}
              </Group>
              <Text c="dimmed" fz="xs">
                {authSession.address ?? "Address unknown"} · since{" "}
                <time dateTime={authSession.createdAt}>{formatMoment(authSession.createdAt)}</time>
              </Text>
              <Text c="dimmed" fz="xs">
                Last seen <time dateTime={authSession.lastSeenAt}>{formatMoment(authSession.lastSeenAt)}</time>
              </Text>
            </Box>
            {!authSession.isCurrent && (
              <Button
                size="compact-sm"
                disabled={isBusy}
                aria-label={`Sign out ${message}, since ${formatMoment(authSession.createdAt)}`}
                onClick={() => onEnd(authSession)}
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
