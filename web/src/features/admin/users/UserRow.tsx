import { ActionIcon, Button, Menu, Tooltip } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { type ReactNode, type Ref, useId } from "react";
import { formatMoment } from "../../../ui/format-moment.ts";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import type { UserChanges } from "./use-user-changes.ts";
import { nameOf, ROLE_LABELS } from "./user-messages.ts";
import classes from "./UsersTable.module.css";

const count = new Intl.NumberFormat("en-US");

const OWN_ACCOUNT = "You cannot deactivate your own account";

type UserRowProps = {
  user: Profile;
  isOwn: boolean;
  /** True for the user in the admin filter. */
  isMarked: boolean;
  rowRef?: Ref<HTMLTableRowElement>;
  changes: UserChanges;
  onAuthSessions: (user: Profile) => void;
};

/** One row of the users table, with its account actions. */
export function UserRow({ user, isOwn, isMarked, rowRef, changes, onAuthSessions }: UserRowProps): ReactNode {
  const reasonNot = useId();
  const isBusy = changes.busyId === user.id;
  return (
    <tr ref={rowRef} className={classes.row} aria-current={isMarked || undefined}>
      <td className={classes.email}>{user.email}</td>
      <td className={classes.name}>
        {user.fullName}
        {isOwn && (
          <Tag look="small" tone="neutral">
            You
          </Tag>
        )}
      </td>
      <td className={classes.role}>
        <Tag tone={user.role === "admin" ? "accent" : "neutral"} look="small">
          {ROLE_LABELS[user.role]}
        </Tag>
      </td>
      <td className={classes.status}>
        <StatusDot tone={user.isActive ? "good" : "neutral"}>{user.isActive ? "Active" : "Inactive"}</StatusDot>
      </td>
      <td className={classes.scans}>
        {count.format(user.totalScans)}
        <span className={classes.unit}> {user.totalScans === 1 ? "scan" : "scans"}</span>
      </td>
      <td className={classes.login}>
        <span className={classes.unit}>Last login </span>
        {user.lastLogin === null ? "Never" : <time dateTime={user.lastLogin}>{formatMoment(user.lastLogin)}</time>}
      </td>
      <td className={classes.actions}>
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
            <Menu.Item onClick={() => onAuthSessions(user)}>Sign-ins</Menu.Item>
            {isOwn ? (
              <Menu.Label>Your password: your name in the header</Menu.Label>
            ) : (
              <>
                <Menu.Item onClick={() => void changes.reset(user)}>Reset password</Menu.Item>
                <Menu.Item onClick={() => void changes.toggleRole(user)}>
                  {user.role === "admin" ? "Make user" : "Make administrator"}
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </td>
    </tr>
  );
}
