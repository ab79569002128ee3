import { Button } from "@mantine/core";
import type { OwnProfile } from "@slabdesk/contract/api/people.ts";
import { FormCard } from "../../ui/form/FormCard.tsx";
import { PasswordForm } from "./PasswordForm.tsx";
import { TwoStepSetUp } from "./TwoStepSetUp.tsx";

type AccountGateProps = {
  profile: OwnProfile;
  onProfileChanged: (change: Partial<OwnProfile>) => void;
  onLogout: () => Promise<void>;
};

/**
 * Shown after a sign-in with a one-time password, until the user chooses a new password, and to an administrator who
 * must set up two-step sign-in first.
 */
export function AccountGate({ profile, onProfileChanged, onLogout }: AccountGateProps) {
  if (profile.mustChangePassword)
    return (
      <FormCard
        title="Choose your password"
        hint={`${profile.email} signed in with a one-time password. That password no longer works. Choose a new one to continue.`}
      >
        <PasswordForm profile={profile} asksCurrent={false} onChanged={onProfileChanged} />
        <Button variant="subtle" fullWidth mt="xs" onClick={() => void onLogout()}>
          Logout
        </Button>
      </FormCard>
    );
  return (
    <FormCard
      title="Set up two-step sign-in"
      hint="Administrators need it here. You need an authenticator app on your phone."
    >
      <TwoStepSetUp
        onDone={() => onProfileChanged({ hasTwoStep: true, mustSetUpTwoStep: false })}
        leave={{ label: "Logout", run: () => void onLogout() }}
      />
    </FormCard>
  );
}
