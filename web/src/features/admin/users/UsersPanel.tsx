import { Button, TextInput } from "@mantine/core";
import { IconFilter, IconUserPlus, IconUsers } from "@tabler/icons-react";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useRef, useState } from "react";
import { adminUsersQuery } from "../../../api/admin-client.ts";
import { usePageKeys } from "../../../ui/use-page-keys.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { KeyHint } from "../../../ui/KeyHint.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import type { AdminFilter } from "../admin-filter.ts";
import { AddUserDialog } from "./AddUserDialog.tsx";
import { type GivenPassword, OneTimePasswordDialog } from "./OneTimePasswordDialog.tsx";
import { AuthSessionsDrawer } from "./SignInsDrawer.tsx";
import { useUserChanges } from "./use-user-changes.ts";
import { usersWith } from "./user-messages.ts";
import classes from "./UsersPanel.module.css";
import { UsersTable } from "./UsersTable.tsx";

/** More than any store has. Each row renders menus, so a thousand rows are slow. */
const PEOPLE_AT_ONCE = 200;

const count = new Intl.NumberFormat("en-US");

type UsersPanelProps = { ownId: string; filter: AdminFilter };

/** All accounts, with the account actions. */
export function UsersPanel({ ownId, filter }: UsersPanelProps): ReactNode {
  const { data: users, error, isFetching, refetch } = useQuery(adminUsersQuery);
  const [text, setText] = useState("");
  const [isAdding, setAdding] = useState(false);
  const [given, setGiven] = useState<GivenPassword | null>(null);
  const [reviewed, setReviewed] = useState<Profile | null>(null);
  const changes = useUserChanges((user, password) => setGiven({ user, given: password }));
  const close = useCallback(() => setAdding(false), []);
  const [limit, setLimit] = useState(PEOPLE_AT_ONCE);
  const panel = useRef<HTMLElement>(null);
  const filterField = useRef<HTMLInputElement>(null);
  usePageKeys(panel, { "/": () => filterField.current?.focus() });
  const shown = usersWith(users ?? [], text);
  const markedAt = shown.findIndex(({ id }) => id === filter.user?.id);
  const inView = shown.slice(0, Math.max(limit, markedAt + 1));

  return (
    <Panel
      ref={panel}
      padding="flush"
      className={classes.panel ?? ""}
      aria-labelledby="users-title"
      aria-busy={isFetching}
    >
      <div className={classes.tools}>
        <h2 className={classes.title} id="users-title">
          Users
        </h2>
        <TextInput
          ref={filterField}
          className={classes.filter ?? ""}
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
        <output className={classes.count}>
          {users !== undefined &&
            (shown.length === users.length
              ? `${count.format(users.length)} ${users.length === 1 ? "user" : "users"}`
              : `${count.format(shown.length)} of ${count.format(users.length)} users`)}
        </output>
        <Button
          className={classes.add ?? ""}
          size="compact-md"
          variant="filled"
          leftSection={<IconUserPlus size={16} stroke={1.75} aria-hidden="true" />}
          onClick={() => setAdding(true)}
        >
          Add User
        </Button>
      </div>
      {users === undefined && error === null && <GhostRows count={6} rowHeight="3rem" label="Loading users" />}
      {users === undefined && error !== null && (
        <div className={classes.problem}>
          <AdminLoadError error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
        </div>
      )}
      {shown.length > 0 && (
        <UsersTable
          users={inView}
          ownId={ownId}
          markedId={filter.user?.id ?? null}
          changes={changes}
          onAuthSessions={setReviewed}
        />
      )}
      {inView.length < shown.length && (
        <div className={classes.more}>
          <Button size="xs" onClick={() => setLimit(inView.length + PEOPLE_AT_ONCE)}>
            Show more
          </Button>
        </div>
      )}
      {users !== undefined && shown.length === 0 && (
        <EmptyState
          icon={<IconUsers size={32} stroke={1.25} />}
          title="No user matches"
          action={
            <Button size="compact-md" onClick={() => setText("")}>
              Clear filter
            </Button>
          }
        >
          Nobody’s name, email, role or status has all of these words.
        </EmptyState>
      )}
      <AddUserDialog isOpen={isAdding} onClose={close} />
      <OneTimePasswordDialog given={given} onClose={() => setGiven(null)} />
      <AuthSessionsDrawer user={reviewed} onClose={() => setReviewed(null)} />
    </Panel>
  );
}
