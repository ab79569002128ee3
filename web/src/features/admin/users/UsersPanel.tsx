import "@mantine/core/styles/Drawer.layer.css";
import { Button, Drawer, Modal, Stack, Text, TextInput } from "@mantine/core";
import { IconDoorExit, IconFilter, IconUserPlus, IconUsers } from "@tabler/icons-react";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { adminUsersQuery } from "../../../api/users.ts";
import { DeviceList, useAuthSessions } from "../../../run/devices/DeviceList.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import quiet from "../../../ui/form/quiet.module.css";
import { KeyHint } from "../../../ui/KeyHint.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { usePageKeys } from "../../../ui/use-page-keys.ts";
import type { AdminFilter } from "../admin-filter.ts";
import { AdminLoadError } from "../AdminLoadError.tsx";
import { ListPanel } from "../lists/ListPanel.tsx";
import { AddUserForm } from "./AddUserForm.tsx";
import { useUserChanges } from "./use-user-changes.tsx";
import { countMessage, nameOf, usersWith } from "./user-messages.ts";
import styles from "./users.module.css";
import { userColumns } from "./user-columns.tsx";

/** More than any store has. Each row renders menus, so a thousand rows are slow. */
const PEOPLE_AT_ONCE = 200;

type UsersPanelProps = { ownId: string; filter: AdminFilter };

export function UsersPanel({ ownId, filter }: UsersPanelProps) {
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
              rightSection={text === "" && <KeyHint>/</KeyHint>}
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
