import { Button, Drawer } from "@mantine/core";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { endOwnAuthSessions, ownAuthSessionsQuery } from "../../api/account.ts";
import { errorReference, errorMessage } from "../../api/error-messages.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { AuthSessionList } from "../../people/SignInList.tsx";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { SectionHeading } from "../../ui/SectionHeading.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./AccountDialog.module.css";
import { PasswordForm } from "./PasswordForm.tsx";

type AccountDialogProps = { profile: Profile; isOpen: boolean; onClose: () => void };

/** The user's own account: password and sign-ins. */
export function AccountDialog({ profile, isOpen, onClose }: AccountDialogProps): ReactNode {
  const queryClient = useQueryClient();
  const onChanged = (changed: Profile): void => {
    queryClient.setQueryData(queryKeys.profile(), changed);
    void queryClient.invalidateQueries({ queryKey: queryKeys.ownAuthSessions() });
    toast.done({ id: "password-changed", message: "Password changed. All other sign-ins were ended." });
  };
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Account" size="min(100vw, 28rem)">
      <div className={styles.parts}>
        <div className={styles.person}>
          <p className={styles.name}>{profile.fullName}</p>
          <p className={styles.email}>{profile.email}</p>
        </div>
        <section className={styles.part} aria-labelledby="own-password">
          <SectionHeading level={3} id="own-password" title="Change password" hint="It ends all your other sign-ins." />
          <PasswordForm profile={profile} asksCurrent submitLabel="Change password" onChanged={onChanged} />
        </section>
        <OwnAuthSessions />
      </div>
    </Drawer>
  );
}

function OwnAuthSessions(): ReactNode {
  const queryClient = useQueryClient();
  const { data: authSessions, error, isFetching, refetch } = useQuery(ownAuthSessionsQuery);
  const end = useMutation({
    mutationFn: endOwnAuthSessions,
    onSuccess: (left) => queryClient.setQueryData(queryKeys.ownAuthSessions(), left),
    onError: (failure) => {
      toast.error({ id: "sign-ins", message: `Nobody was signed out. ${errorMessage(failure)}` });
      void refetch();
    },
  });
  const hasOthers = authSessions?.some(({ isCurrent }) => !isCurrent) ?? false;
  return (
    <section className={styles.part} aria-labelledby="own-sign-ins">
      <SectionHeading
        level={3}
        id="own-sign-ins"
        title="Where you are signed in"
        actions={
          <Button size="compact-sm" disabled={!hasOthers || end.isPending} onClick={() => end.mutate(undefined)}>
            Sign out everywhere else
          </Button>
        }
      />
      {authSessions !== undefined && (
        <AuthSessionList authSessions={authSessions} isBusy={end.isPending} onEnd={({ id }) => end.mutate(id)} />
      )}
      {authSessions === undefined && error === null && (
        <GhostRows count={2} rowHeight="4rem" label="Loading your sign-ins" />
      )}
      {authSessions === undefined && error !== null && (
        <ErrorPanel
          message={errorMessage(error)}
          reference={errorReference(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
    </section>
  );
}
