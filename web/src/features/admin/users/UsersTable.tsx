import type { Profile } from "@slabdesk/contract/api/people.ts";
import { type ReactNode, useEffect, useRef } from "react";
import type { UserChanges } from "./use-user-changes.ts";
import { UserRow } from "./UserRow.tsx";
import classes from "./UsersTable.module.css";

type UsersTableProps = {
  users: readonly Profile[];
  ownId: string;
  markedId: string | null;
  changes: UserChanges;
  onAuthSessions: (user: Profile) => void;
};

/** The users table; in a narrow window each user is a card. */
export function UsersTable({ users, ownId, markedId, changes, onAuthSessions }: UsersTableProps): ReactNode {
  const marked = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (markedId !== null) marked.current?.scrollIntoView({ block: "center" });
  }, [markedId]);
  return (
    <table className={classes.table} aria-label="Users">
      <thead className={classes.head}>
        <tr>
          <th scope="col">Email</th>
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col">Status</th>
          <th scope="col" className={classes.number}>
            Scans
          </th>
          <th scope="col">Last Login</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <UserRow
            key={user.id}
            user={user}
            isOwn={user.id === ownId}
            isMarked={user.id === markedId}
            {...(user.id === markedId ? { rowRef: marked } : {})}
            changes={changes}
            onAuthSessions={onAuthSessions}
          />
        ))}
      </tbody>
    </table>
  );
}
