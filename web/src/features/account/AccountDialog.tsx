import "@mantine/core/styles/Drawer.layer.css";
import { Box, Button, Drawer, Stack, Text } from "@mantine/core";
import type { OwnProfile, Profile } from "@slabdesk/contract/api/people.ts";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { turnOffTwoStep } from "../../api/account.ts";
import { loadProblem } from "../../api/errors.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { DeviceList, useAuthSessions } from "../../api/devices/DeviceList.tsx";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { SectionHeading } from "../../ui/SectionHeading.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import { toast } from "../../ui/toast.tsx";
import { PasswordForm } from "./PasswordForm.tsx";
import { SecretForm } from "./SecretForm.tsx";
import { TwoStepSetUp } from "./TwoStepSetUp.tsx";

type AccountDialogProps = { profile: Profile; isOpen: boolean; onClose: () => void };

/** The user's own account: password, two-step sign-in, and auth sessions. */
export function AccountDialog({ profile, isOpen, onClose }: AccountDialogProps) {
  const queryClient = useQueryClient();
  const onChanged = (changed: Profile): void => {
    queryClient.setQueryData(queryKeys.profile(), (own?: OwnProfile) => own && { ...own, ...changed });
    void queryClient.invalidateQueries({ queryKey: queryKeys.authSessions() });
    toast.done({ id: "password-changed", message: "Password changed. You were signed out everywhere else." });
  };
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Account" size="min(100vw, 28rem)">
      <Stack gap="lg">
        <Box style={{ overflowWrap: "anywhere" }}>
          <Text fz="0.9375rem" fw={600}>
            {profile.fullName}
          </Text>
          <Text fz="sm" c="dimmed">
            {profile.email}
          </Text>
        </Box>
        <Part title="Change password" hint="This signs you out everywhere else.">
          <PasswordForm profile={profile} asksCurrent onChanged={onChanged} />
        </Part>
        <OwnTwoStep profile={profile} />
        <OwnAuthSessions />
      </Stack>
    </Drawer>
  );
}

function OwnTwoStep({ profile }: { profile: Profile }) {
  const queryClient = useQueryClient();
  const [step, setStep] = useState<"setting-up" | "turning-off" | null>(null);
  const close = (): void => setStep(null);
  const cancel = { label: "Cancel", run: close };
  /** The server replaced this browser's auth session, too. */
  const refresh = (): void => {
    void queryClient.invalidateQueries({ queryKey: queryKeys.profile() });
    void queryClient.invalidateQueries({ queryKey: queryKeys.authSessions() });
  };
  const hint = profile.hasTwoStep
    ? "On: signing in also needs a code from your authenticator app."
    : "Off: signing in needs only your password.";
  return (
    <Part title="Two-step sign-in" hint={hint}>
      {step === "setting-up" && <TwoStepSetUp onTurnedOn={refresh} onDone={close} leave={cancel} />}
      {step === "turning-off" && (
        <SecretForm
          field="password"
          label="Your password"
          submitLabel="Turn off two-step sign-in"
          send={turnOffTwoStep}
          onDone={() => {
            close();
            refresh();
          }}
          leave={cancel}
        />
      )}
      {step === null && (
        <Button
          style={{ alignSelf: "flex-start" }}
          onClick={() => setStep(profile.hasTwoStep ? "turning-off" : "setting-up")}
        >
          {profile.hasTwoStep ? "Turn off" : "Set up"}
        </Button>
      )}
    </Part>
  );
}

function OwnAuthSessions() {
  const { list, end } = useAuthSessions();
  const hasOthers = list.data?.some(({ isCurrent }) => !isCurrent) ?? false;
  return (
    <Part
      title="Signed-in devices"
      actions={
        <Button size="compact-sm" disabled={!hasOthers || end.isBusy} onClick={() => end.run(undefined)}>
          Sign out everywhere else
        </Button>
      }
    >
      {list.data !== undefined && <DeviceList devices={list.data} isBusy={end.isBusy} onEnd={end.run} />}
      {list.isPending && <GhostRows count={2} rowHeight="4rem" label="Loading your devices" />}
      {list.isLoadingError && <ErrorPanel {...loadProblem(list)} />}
    </Part>
  );
}

function Part({ children, ...heading }: { title: string; hint?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Stack
      component="section"
      gap="0.875rem"
      pt="1.25rem"
      style={{ borderTop: "1px solid var(--sd-line)" }}
      aria-label={heading.title}
    >
      <SectionHeading level={3} {...heading} />
      {children}
    </Stack>
  );
}
