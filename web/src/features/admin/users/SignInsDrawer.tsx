import { Button, Drawer } from "@mantine/core";
import { IconDoorExit } from "@tabler/icons-react";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { adminSignInsQuery, endSignIns } from "../../../api/admin-client.ts";
import { errorWords } from "../../../api/error-words.ts";
import { SignInList } from "../../../people/SignInList.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { toast } from "../../../ui/toast.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import classes from "./SignInsDrawer.module.css";
import { nameOf } from "./user-words.ts";

type SignInsDrawerProps = { user: Profile | null; onClose: () => void };

/** Where a person is signed in, beside the table of users. */
export function SignInsDrawer({ user, onClose }: SignInsDrawerProps): ReactNode {
  return (
    <Drawer
      opened={user !== null}
      onClose={onClose}
      title={user === null ? "" : `Sign-ins of ${nameOf(user)}`}
      size="min(100vw, 28rem)"
    >
      {user !== null && <SignInsOf user={user} />}
    </Drawer>
  );
}

function SignInsOf({ user }: { user: Profile }): ReactNode {
  const queryClient = useQueryClient();
  const query = adminSignInsQuery(user.id);
  const { data: signIns, error, isFetching, refetch } = useQuery(query);
  const end = useMutation({
    mutationFn: (signInId?: string) => endSignIns(user.id, signInId),
    onSuccess: (left) => queryClient.setQueryData(query.queryKey, left),
    onError: (failure) => {
      toast.error({ id: "sign-ins", message: `Nobody was signed out. ${errorWords(failure)}` });
      void refetch();
    },
  });
  if (signIns === undefined)
    return error === null ? (
      <GhostRows count={3} rowHeight="4rem" label="Loading sign-ins" />
    ) : (
      <AdminLoadError error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
    );
  if (signIns.length === 0)
    return (
      <EmptyState icon={<IconDoorExit size={32} stroke={1.25} />} title={`${nameOf(user)} is signed in nowhere.`} />
    );
  const hasOwn = signIns.some(({ isCurrent }) => isCurrent);
  return (
    <div className={classes.parts}>
      <p className={classes.hint}>What is ended here leaves at once. Running sessions go on.</p>
      <SignInList signIns={signIns} isBusy={end.isPending} onEnd={({ id }) => end.mutate(id)} />
      <Button
        color="bad"
        disabled={end.isPending || signIns.every(({ isCurrent }) => isCurrent)}
        onClick={() => end.mutate(undefined)}
      >
        {hasOwn ? "Sign out everywhere else" : "Sign out everywhere"}
      </Button>
    </div>
  );
}
