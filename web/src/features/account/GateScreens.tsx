import { Button } from "@mantine/core";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { FormCard } from "../../ui/form/FormCard.tsx";
import { PasswordForm } from "./PasswordForm.tsx";
import { TwoStepSetUp } from "./TwoStepSetUp.tsx";

type Leave = { onLogout: () => Promise<void> };
type ChoosePasswordScreenProps = Leave & { profile: Profile; onChosen: (profile: Profile) => void };

/** Shown after a sign-in with a one-time password, until the user chooses a new password. */
export function ChoosePasswordScreen({ profile, onChosen, onLogout }: ChoosePasswordScreenProps) {
  return (
    <FormCard
      title="Choose your password"
      hint={`${profile.email} signed in with a one-time password. That password no longer works. Choose a new one to continue.`}
    >
      <PasswordForm profile={profile} asksCurrent={false} onChanged={onChosen} />
      <Button variant="subtle" fullWidth mt="xs" onClick={() => void onLogout()}>
        Logout
      </Button>
    </FormCard>
  );
}

/** Shown to an administrator who must set up two-step sign-in first. */
export function TwoStepScreen({ onDone, onLogout }: Leave & { onDone: () => void }) {
  return (
    <FormCard
      title="Set up two-step sign-in"
      hint="Administrators need it here. You need an authenticator app on your phone."
    >
      <TwoStepSetUp onDone={onDone} leave={{ label: "Logout", run: () => void onLogout() }} />
    </FormCard>
  );
}
