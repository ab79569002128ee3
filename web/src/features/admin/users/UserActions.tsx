import { ActionIcon, Button, Menu, Tooltip } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { type ReactNode, useId } from "react";
import type { UserChanges } from "./use-user-changes.ts";
import { nameOf } from "./user-messages.ts";

const OWN_ACCOUNT = "You cannot deactivate your own account";

type UserActionsProps = {
  user: Profile;
  isOwn: boolean;
  changes: UserChanges;
  onAuthSessions: (user: Profile) => void;
};

/** The account actions of one user. */
export function UserActions({ user, isOwn, changes, onAuthSessions }: UserActionsProps): ReactNode {
  const reasonNot = useId();
  const isBusy = changes.busyId === user.id;
  return (
    <>
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
    </>
  );
}
