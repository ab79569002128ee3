import { Button, Drawer } from "@mantine/core";
import { IconDoorExit } from "@tabler/icons-react";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { authSessionsQuery, endAuthSessions } from "../../../api/account.ts";
import { errorMessage } from "../../../api/error-messages.ts";
import { AuthSessionList } from "../../../people/SignInList.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { toast } from "../../../ui/toast.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import styles from "./SignInsDrawer.module.css";
import { nameOf } from "./user-messages.ts";

type AuthSessionsDrawerProps = { user: Profile | null; onClose: () => void };

/** A user's sign-ins, next to the users table. */
export function AuthSessionsDrawer({ user, onClose }: AuthSessionsDrawerProps): ReactNode {
  return (
    <Drawer
      opened={user !== null}
      onClose={onClose}
      title={user === null ? "" : `Sign-ins of ${nameOf(user)}`}
      size="min(100vw, 28rem)"
    >
      {user !== null && <AuthSessionsOf user={user} />}
    </Drawer>
  );
}

function AuthSessionsOf({ user }: { user: Profile }): ReactNode {
  const queryClient = useQueryClient();
  const query = authSessionsQuery(user.id);
  const { data: authSessions, error, isFetching, refetch } = useQuery(query);
  const end = useMutation({
    mutationFn: (authSessionId?: string) => endAuthSessions(user.id, authSessionId),
    onSuccess: (left) => queryClient.setQueryData(query.queryKey, left),
    onError: (failure) => {
      toast.error({ id: "sign-ins", message: `Nobody was signed out. ${errorMessage(failure)}` });
      void refetch();
    },
  });
  if (authSessions === undefined)
    return error === null ? (
      <GhostRows count={3} rowHeight="4rem" label="Loading sign-ins" />
    ) : (
      <AdminLoadError error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
    );
  if (authSessions.length === 0)
    return (
      <EmptyState icon={<IconDoorExit size={32} stroke={1.25} />} title={`${nameOf(user)} is signed in nowhere.`} />
    );
  const hasOwn = authSessions.some(({ isCurrent }) => isCurrent);
  return (
    <div className={styles.parts}>
      <p className={styles.hint}>What is ended here leaves at once. Running sessions go on.</p>
      <AuthSessionList authSessions={authSessions} isBusy={end.isPending} onEnd={({ id }) => end.mutate(id)} />
      <Button
        color="bad"
        disabled={end.isPending || authSessions.every(({ isCurrent }) => isCurrent)}
        onClick={() => end.mutate(undefined)}
      >
        {hasOwn ? "Sign out everywhere else" : "Sign out everywhere"}
      </Button>
    </div>
  );
}
