import "@mantine/core/styles/Menu.layer.css";
import { ActionIcon, Button, Group, Menu, Tooltip } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { AdminUser, Profile } from "@slabdesk/contract/api/people.ts";
import { formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { useId } from "react";
import { PlaceLink } from "../../../place/PlaceLink.tsx";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import type { DataColumns } from "../lists/ListPanel.tsx";
import type { UserChanges } from "./use-user-changes.tsx";
import { nameOf } from "./user-messages.ts";
import styles from "./users.module.css";
import { counted, formatCount } from "../../../ui/format-numbers.ts";

/** Tabular Inter also widens hyphens. */
const NAME_STYLE = { fontVariantNumeric: "normal", overflowWrap: "anywhere" } as const;
const OWN_ACCOUNT = "You cannot deactivate your own account";

type UserColumnsOptions = { ownId: string; changes: UserChanges; onAuthSessions: (user: Profile) => void };

export function userColumns({ ownId, changes, onAuthSessions }: UserColumnsOptions): DataColumns<AdminUser> {
  return {
    email: {
      header: "Email",
      cellStyle: { ...NAME_STYLE, fontWeight: 550 },
      cardStyle: { ...NAME_STYLE, color: "var(--sd-muted)", fontSize: "0.8125rem" },
      cell: ({ email }) => email,
    },
    name: {
      header: "Name",
      cellStyle: NAME_STYLE,
      cardStyle: { ...NAME_STYLE, fontWeight: 600 },
      cell: ({ id, fullName }) => (
        <>
          {fullName}
          {id === ownId && <Tag variant="small">You</Tag>}
        </>
      ),
    },
    role: {
      header: "Role",
      cardStyle: { justifySelf: "end" },
      cell: ({ role }) => (
        <Tag tone={role === "admin" ? "accent" : "neutral"} variant="small">
          {role === "admin" ? "Admin" : "User"}
        </Tag>
      ),
    },
    status: {
      header: "Status",
      cellStyle: { fontSize: "0.8125rem" },
      cardStyle: { justifySelf: "end", fontSize: "0.8125rem" },
      cell: ({ isActive }) => (
        <StatusDot tone={isActive ? "good" : "neutral"}>{isActive ? "Active" : "Inactive"}</StatusDot>
      ),
    },
    scans: {
      header: "Scans",
      style: { textAlign: "end" },
      cardStyle: { color: "var(--sd-muted)", fontSize: "0.75rem" },
      cell: ({ id, scanCount, ...user }) => (
        <PlaceLink
          tab="admin"
          spot={{ admin: "sessions", person: id }}
          aria-label={`${counted(scanCount, "scan")} of ${nameOf(user)}`}
        >
          {formatCount(scanCount)}
          <span className={styles.unit}> {scanCount === 1 ? "scan" : "scans"}</span>
        </PlaceLink>
      ),
    },
    login: {
      header: "Last Login",
      cellStyle: { color: "var(--sd-muted)", fontSize: "0.8125rem", whiteSpace: "nowrap" },
      cardStyle: { color: "var(--sd-muted)", fontSize: "0.75rem" },
      cell: ({ lastLogin }) => (
        <>
          <span className={styles.unit}>Last login </span>
          {lastLogin === null ? "Never" : <time dateTime={lastLogin}>{formatRecent(lastLogin)}</time>}
        </>
      ),
    },
    actions: {
      header: "Actions",
      style: { textAlign: "end" },
      cardStyle: { marginTop: "0.375rem", textAlign: "end" },
      cell: (user) => (
        <UserActions user={user} isOwn={user.id === ownId} changes={changes} onAuthSessions={onAuthSessions} />
      ),
    },
  };
}

type UserActionsProps = Omit<UserColumnsOptions, "ownId"> & { user: Profile; isOwn: boolean };

function UserActions({ user, isOwn, changes, onAuthSessions }: UserActionsProps) {
  const reasonNot = useId();
  const isBusy = changes.busyIds.includes(user.id);
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Tooltip label={OWN_ACCOUNT} disabled={!isOwn}>
        <span>
          <Button
            size="compact-sm"
            disabled={isOwn}
            loading={isBusy}
            aria-label={`${user.isActive ? "Deactivate" : "Activate"} ${nameOf(user)}`}
            aria-describedby={isOwn ? reasonNot : undefined}
            onClick={() => void changes.toggleActive(user)}
          >
            {user.isActive ? "Deactivate" : "Activate"}
          </Button>
        </span>
      </Tooltip>
      {isOwn && (
        <span id={reasonNot} hidden>
          {OWN_ACCOUNT}
        </span>
      )}
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon size={28} aria-label={`More for ${nameOf(user)}`} disabled={isBusy}>
            <IconDots size={18} stroke={1.75} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onAuthSessions(user)}>Signed-in devices</Menu.Item>
          {isOwn ? (
            <Menu.Label>To change your password, click your name</Menu.Label>
          ) : (
            <>
              <Menu.Item onClick={() => void changes.reset(user)}>Reset password</Menu.Item>
              {user.hasTwoStep && (
                <Menu.Item onClick={() => void changes.resetTwoStep(user)}>Reset two-step sign-in</Menu.Item>
              )}
              <Menu.Item onClick={() => void changes.toggleRole(user)}>
                {user.role === "admin" ? "Make user" : "Make administrator"}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
