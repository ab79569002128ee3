import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { DataColumn } from "../../../ui/DataTable.tsx";
import { formatMoment } from "../../../ui/format-moment.ts";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import type { UserChanges } from "./use-user-changes.ts";
import { UserActions } from "./UserActions.tsx";
import { ROLE_LABELS } from "./user-messages.ts";
import styles from "./users.module.css";

const count = new Intl.NumberFormat("en-US");

type UserColumnsOptions = { ownId: string; changes: UserChanges; onAuthSessions: (user: Profile) => void };

export function userColumns({ ownId, changes, onAuthSessions }: UserColumnsOptions): DataColumn<Profile>[] {
  return [
    { header: "Email", className: styles.email, cell: ({ email }) => email },
    {
      header: "Name",
      className: styles.name,
      cell: ({ id, fullName }) => (
        <>
          {fullName}
          {id === ownId && (
            <Tag look="small" tone="neutral">
              You
            </Tag>
          )}
        </>
      ),
    },
    {
      header: "Role",
      className: styles.role,
      cell: ({ role }) => (
        <Tag tone={role === "admin" ? "accent" : "neutral"} look="small">
          {ROLE_LABELS[role]}
        </Tag>
      ),
    },
    {
      header: "Status",
      className: styles.status,
      cell: ({ isActive }) => (
        <StatusDot tone={isActive ? "good" : "neutral"}>{isActive ? "Active" : "Inactive"}</StatusDot>
      ),
    },
    {
      header: "Scans",
      className: styles.scans,
      cell: ({ totalScans }) => (
        <>
          {count.format(totalScans)}
          <span className={styles.unit}> {totalScans === 1 ? "scan" : "scans"}</span>
        </>
      ),
    },
    {
      header: "Last Login",
      className: styles.login,
      cell: ({ lastLogin }) => (
        <>
          <span className={styles.unit}>Last login </span>
          {lastLogin === null ? "Never" : <time dateTime={lastLogin}>{formatMoment(lastLogin)}</time>}
        </>
      ),
    },
    {
      header: "Actions",
      className: styles.actions,
      cell: (user) => (
        <UserActions user={user} isOwn={user.id === ownId} changes={changes} onAuthSessions={onAuthSessions} />
      ),
    },
  ];
}
