import "@mantine/core/styles/Drawer.layer.css";
import { ActionIcon, Button, Drawer, Group, Kbd, Menu, Modal, Stack, Text, TextInput, Tooltip } from "@mantine/core";
import { IconDoorExit, IconDots, IconFilter, IconUserPlus, IconUsers } from "@tabler/icons-react";
import type { AdminUser, Profile } from "@slabdesk/contract/api/people.ts";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { adminUsersQuery } from "../../../api/users.ts";
import { DeviceList, useAuthSessions } from "../../../api/devices/DeviceList.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import type { DataColumns } from "../../../ui/DataTable.tsx";
import quiet from "../../../ui/form/quiet.module.css";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { usePageKeys } from "../../../ui/use-page-keys.ts";
import type { AdminFilter } from "../admin-filter.ts";
import { AdminLoadError } from "../AdminLoadError.tsx";
import { ListPanel } from "../lists/ListPanel.tsx";
import { AddUserForm } from "./AddUserForm.tsx";
import { type UserChanges, useUserChanges } from "./use-user-changes.tsx";
import { countMessage, nameOf, usersWith } from "./user-messages.ts";
import styles from "./users.module.css";
import "@mantine/core/styles/Menu.layer.css";
import { formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { PlaceLink } from "../../../place/PlaceLink.tsx";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import { counted, formatCount } from "../../../ui/format-numbers.ts";

/** More than any store has. Each row renders menus, so a thousand rows are slow. */
const PEOPLE_AT_ONCE = 200;

export function UsersPanel({ ownId, filter }: { ownId: string; filter: AdminFilter }) {
  const query = useQuery(adminUsersQuery);
  const users = query.data;
  const [text, setText] = useState("");
  const [isAdding, setAdding] = useState(false);
  const [reviewed, setReviewed] = useState<Profile | null>(null);
  const changes = useUserChanges();
  const [limit, setLimit] = useState(PEOPLE_AT_ONCE);
  const panel = useRef<HTMLElement>(null);
  const filterField = useRef<HTMLInputElement>(null);
  usePageKeys(panel, { "/": () => filterField.current?.focus() });
  const shown = usersWith(users ?? [], text);
  const markedAt = shown.findIndex(({ id }) => id === filter.user?.id);
  const rows = shown.slice(0, Math.max(limit, markedAt + 1));
  const showMore = rows.length < shown.length ? () => setLimit(rows.length + PEOPLE_AT_ONCE) : null;

  return (
    <>
      <ListPanel
        ref={panel}
        title="Users"
        label="Users"
        filters={
          <>
            <TextInput
              ref={filterField}
              className={`${styles.filter} ${quiet.quiet}`}
              type="search"
              size="xs"
              aria-label="Filter users by name, email, role or status"
              placeholder="Name, email, role or status"
              leftSection={<IconFilter size={15} aria-hidden="true" />}
              rightSection={text === "" && <Kbd>/</Kbd>}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Escape") setText("");
              }}
            />
            <Text component="output" c="dimmed" fz="sm">
              {users !== undefined && countMessage(shown.length, users.length)}
            </Text>
            <Button
              ml="auto"
              fz="sm"
              size="compact-md"
              variant="filled"
              leftSection={<IconUserPlus size={16} stroke={1.75} aria-hidden="true" />}
              onClick={() => setAdding(true)}
            >
              Add User
            </Button>
          </>
        }
        classes={styles}
        columns={userColumns({ ownId, changes, onAuthSessions: setReviewed })}
        cards={{
          upTo: "60em",
          template: `"name name role" "email email status" "scans login login" "actions actions actions" / auto minmax(0, 1fr) auto`,
        }}
        markedId={filter.user?.id ?? null}
        list={{ rows, query, showMore }}
        ghost={{ count: 6, rowHeight: "3rem", label: "Loading users" }}
        empty={{
          Icon: IconUsers,
          title: "No matching users",
          message: "No name, email, role or status contains these words.",
          action: { label: "Clear filter", run: () => setText("") },
        }}
      />
      <Modal opened={isAdding} onClose={() => setAdding(false)} title="Add User" size="28rem">
        <AddUserForm onClose={() => setAdding(false)} />
      </Modal>
      <Drawer
        opened={reviewed !== null}
        onClose={() => setReviewed(null)}
        title={reviewed && `Signed-in devices of ${nameOf(reviewed)}`}
        size="min(100vw, 28rem)"
      >
        {reviewed && <AuthSessions user={reviewed} />}
      </Drawer>
    </>
  );
}

function AuthSessions({ user }: { user: Profile }) {
  const { list, end } = useAuthSessions(user.id);
  const authSessions = list.data;
  if (list.isLoadingError) return <AdminLoadError query={list} />;
  if (authSessions === undefined) return <GhostRows count={3} rowHeight="4rem" label="Loading devices" />;
  if (authSessions.length === 0)
    return (
      <EmptyState icon={<IconDoorExit size={32} stroke={1.25} />} title={`${nameOf(user)} is signed in nowhere.`} />
    );
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
        {authSessions.some(({ isCurrent }) => isCurrent) ? "Sign out everywhere else" : "Sign out everywhere"}
      </Button>
    </Stack>
  );
}

/** Tabular Inter also widens hyphens. */
const NAME_STYLE = { fontVariantNumeric: "normal", overflowWrap: "anywhere" } as const;
const OWN_ACCOUNT = "You cannot deactivate your own account";

type UserColumnsOptions = { ownId: string; changes: UserChanges; onAuthSessions: (user: Profile) => void };

function userColumns({ ownId, changes, onAuthSessions }: UserColumnsOptions): DataColumns<AdminUser> {
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
