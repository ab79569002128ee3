import { Button } from "@mantine/core";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { ReactNode } from "react";
import { Panel } from "../../ui/Panel.tsx";
import styles from "./ChoosePasswordScreen.module.css";
import { PasswordForm } from "./PasswordForm.tsx";

type ChoosePasswordScreenProps = {
  profile: Profile;
  onChosen: (profile: Profile) => void;
  onLogout: () => Promise<void>;
};

/** Shown after a sign-in with a one-time password, until the user chooses a new password. */
export function ChoosePasswordScreen({ profile, onChosen, onLogout }: ChoosePasswordScreenProps): ReactNode {
  return (
    <Panel className={styles.panel ?? ""} aria-labelledby="choose-password-title">
      <h1 className={styles.title} id="choose-password-title">
        Choose your password
      </h1>
      <p className={styles.hint}>
        {profile.email} signed in with a one-time password. It is used up now: choose a password of your own to go on.
      </p>
      <PasswordForm profile={profile} asksCurrent={false} isFirst submitLabel="Save and go on" onChanged={onChosen} />
      <Button variant="subtle" fullWidth mt="xs" onClick={() => void onLogout()}>
        Logout
      </Button>
    </Panel>
  );
}
